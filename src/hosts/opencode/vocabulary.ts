import { numberField } from "../../core/json.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { Vocabulary } from "../../session/action.ts";
import {
  asks,
  delegates,
  edits,
  fetches,
  interpretBy,
  interpretResultBy,
  parseRange,
  patches,
  plans,
  reads,
  runs,
  searches,
  writes,
} from "../tool-table.ts";

const PATH = ["filePath", "path"];
const SEARCH = searches(["pattern", "query"], PATH);

export const openCodeVocabulary: Vocabulary & CallVocabulary = {
  readTool: "read",
  interpretCall: interpretBy({
    read: reads(PATH, parseRange),
    write: writes(PATH, ["content"]),
    edit: edits(PATH),
    multiedit: edits(PATH),
    apply_patch: patches(["patchText"]),
    patch: patches(["patchText"]),
    bash: runs(["command"]),
    grep: SEARCH,
    glob: SEARCH,
    list: SEARCH,
    codesearch: SEARCH,
    webfetch: fetches(["url"]),
    todowrite: plans("todos", "content"),
    task: delegates(["description"], ["prompt"], ["subagent_type"]),
    question: asks(),
  }),
  interpretResult: interpretResultBy({
    findExitCode: (_text, _result, detail) => numberField(detail, "exit"),
    isRefused: (text, { isError }) =>
      isError && /rejected permission|specified a rule which prevents/i.test(text.slice(0, 400)),
  }),
};
