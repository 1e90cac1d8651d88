import { type JsonObject, numberField } from "../../core/json.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { LineRange, Vocabulary } from "../../session/action.ts";
import {
  edits,
  findNumber,
  interpretBy,
  interpretResultBy,
  plans,
  reads,
  runs,
  searches,
  writes,
} from "../tool-table.ts";

const PATH = ["file_path", "absolute_path"];
const SEARCH = searches(["pattern"], ["dir_path"]);

export const geminiVocabulary: Vocabulary & CallVocabulary = {
  interpretCall: interpretBy({
    read_file: reads(PATH, parseLines),
    write_file: writes(PATH, ["content"]),
    replace: edits(PATH),
    run_shell_command: runs(["command"]),
    glob: SEARCH,
    grep_search: SEARCH,
    search_file_content: SEARCH,
    list_directory: SEARCH,
    write_todos: plans("todos", "description"),
  }),
  interpretResult: interpretResultBy({
    findExitCode: (text) => findNumber(text, /^Exit Code: (-?\d{1,10})$/m),
    isRefused: (text) => /^\[Operation Cancelled\]/.test(text),
  }),
};

function parseLines(input: JsonObject): LineRange | undefined {
  const first = numberField(input, "start_line");
  const last = numberField(input, "end_line");
  return first === undefined || last === undefined ? undefined : { first, last };
}
