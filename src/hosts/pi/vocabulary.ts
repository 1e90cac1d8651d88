import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Vocabulary } from "../../session/action.ts";
import { findNumber, interpretBy, interpretResultBy, parseRange } from "../tool-table.ts";

const PATH = ["path", "file_path"];
const SEARCH = { kind: "search", pattern: ["pattern", "patterns"], path: PATH } as const;

/** The meaning of the client's tools; those of extensions are known by name only. */
export const piVocabulary: Vocabulary & CallVocabulary = {
  readTool: "read",
  interpretCall: interpretBy({
    read: { kind: "read", path: PATH, range: parseRange },
    write: { kind: "write", path: PATH, text: ["content"] },
    edit: { kind: "edit", path: PATH },
    bash: { kind: "run", command: ["command"] },
    grep: SEARCH,
    find: SEARCH,
    ls: SEARCH,
    multi_grep: SEARCH,
  }),
  interpretResult: interpretResultBy({
    // A failing command's result ends with its exit code; an aborted one has none.
    findExitCode: (text, { isError }) =>
      findNumber(text.slice(-200), /Command exited with code (\d{1,10})\s{0,9}$/) ?? (isError ? undefined : 0),
  }),
};
