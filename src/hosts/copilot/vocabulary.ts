import { type JsonObject, listField } from "../../core/json.ts";
import type { CallVocabulary } from "../../layers/history/vocabulary.ts";
import type { LineRange, Vocabulary } from "../../session/action.ts";
import {
  asks,
  delegates,
  edits,
  fetches,
  findNumber,
  interpretBy,
  interpretResultBy,
  patches,
  reads,
  runs,
  searches,
  writes,
} from "../tool-table.ts";

const PATH = ["path"];
const SEARCH = searches(["pattern"], ["path", "paths"]);

export const copilotVocabulary: Vocabulary & CallVocabulary = {
  interpretCall: interpretBy({
    view: reads(PATH, parseViewRange),
    create: writes(PATH, ["file_text"]),
    edit: edits(PATH),
    str_replace_editor: edits(PATH),
    apply_patch: patches(["input"]),
    bash: runs(["command"]),
    powershell: runs(["command"]),
    rg: SEARCH,
    grep: SEARCH,
    glob: SEARCH,
    web_fetch: fetches(["url"]),
    task: delegates(["description"], ["prompt"]),
    ask_user: asks(),
  }),
  interpretResult: interpretResultBy({
    findExitCode: (text) => findNumber(text.slice(-200), /<exited with exit code (-?\d{1,10})>\s{0,9}$/),
    isRefused: (text, { isError }) =>
      isError && /permission (?:was )?denied|rejected by (?:the )?user/i.test(text.slice(0, 400)),
  }),
};

/** `[first, last]`; a range that ends before it begins goes to the end of the file. */
function parseViewRange(input: JsonObject): LineRange | undefined {
  const [first, last] = listField(input, "view_range");
  if (typeof first !== "number" || typeof last !== "number") return undefined;
  return { first, last: last < first ? Number.MAX_SAFE_INTEGER : last };
}
