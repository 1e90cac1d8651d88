import { type JsonObject, numberField } from "../../core/json.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { LineRange, Vocabulary } from "../../session/action.ts";
import { findNumber, interpretBy, interpretResultBy } from "../tool-table.ts";

const PATH = ["file_path", "absolute_path"];
const SEARCH = { kind: "search", pattern: ["pattern"], path: ["dir_path"] } as const;

export const geminiVocabulary: Vocabulary & CallVocabulary = {
  interpretCall: interpretBy({
    read_file: { kind: "read", path: PATH, range: parseLines },
    write_file: { kind: "write", path: PATH, text: ["content"] },
    replace: { kind: "edit", path: PATH },
    run_shell_command: { kind: "run", command: ["command"] },
    glob: SEARCH,
    grep_search: SEARCH,
    search_file_content: SEARCH,
    list_directory: SEARCH,
    write_todos: { kind: "plan", list: "todos", subject: "description" },
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
