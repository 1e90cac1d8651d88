import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Vocabulary } from "../../session/action.ts";
import {
  edits,
  findNumber,
  interpretBy,
  interpretResultBy,
  parseRange,
  reads,
  runs,
  searches,
  writes,
} from "../tool-table.ts";

const PATH = ["path", "file_path"];
const SEARCH = searches(["pattern", "patterns"], PATH);

/** The meaning of the client's tools; those of extensions are known by name only. */
export const piVocabulary: Vocabulary & CallVocabulary = {
  readTool: "read",
  interpretCall: interpretBy({
    read: reads(PATH, parseRange),
    write: writes(PATH, ["content"]),
    edit: edits(PATH),
    bash: runs(["command"]),
    grep: SEARCH,
    find: SEARCH,
    ls: SEARCH,
    multi_grep: SEARCH,
  }),
  interpretResult: interpretResultBy({
    // A failing command's result ends with its exit code; an aborted one has none.
    findExitCode: (text, { isError }) =>
      findNumber(text.slice(-200), /Command exited with code (\d{1,10})\s{0,9}$/) ?? (isError ? undefined : 0),
    isRefused: () => false,
  }),
};
