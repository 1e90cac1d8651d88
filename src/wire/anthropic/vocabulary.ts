import { type JsonObject, textField } from "../../core/json.ts";
import type { CallMeaning, CallVocabulary } from "../../layers/history/vocabulary.ts";

/** The API's own tools: the text editor in all its versions, and the shell. Every other tool is the caller's own. */
export const anthropicTools: CallVocabulary = {
  interpretCall(tool, input) {
    if (tool === "bash") return { kind: "run", command: textField(input, "command") };
    return /^str_replace_(?:based_edit_tool|editor)$/.test(tool) ? interpretEditor(input) : { kind: "other" };
  },
};

function interpretEditor(input: JsonObject): CallMeaning {
  const path = textField(input, "path");
  if (path === "") return { kind: "other" };
  switch (input.command) {
    case "view":
      return { kind: "read", path, range: parseRange(input) };
    case "create":
      return { kind: "write", path };
    case "str_replace":
    case "insert":
    case "undo_edit":
      return { kind: "edit", path };
    default:
      return { kind: "other" };
  }
}

/** `[first, last]`; a last line of -1 means to the end. */
function parseRange({ view_range: lines }: JsonObject): CallMeaning["range"] {
  const [first, last] = Array.isArray(lines) ? lines : [];
  if (typeof first !== "number" || typeof last !== "number") return undefined;
  return { first, last: last === -1 ? Number.MAX_SAFE_INTEGER : last };
}
