import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, numberField, objectField, textField } from "../../core/json-fields.ts";
import type { Action } from "../../session/action.ts";

/** A file's whole content after a call, where the client's own record tells it: read whole, or before an edit plus the edit. */
export function parseFileContent(action: Action, detail: JsonObject): string | undefined {
  if (action.kind === "read") return parseSeenWhole(detail);
  if (action.kind === "edit") return applyRecordedEdit(detail);
  return undefined;
}

function parseSeenWhole(detail: JsonObject): string | undefined {
  const file = objectField(detail, "file") ?? {};
  const isWhole =
    numberField(file, "startLine") === 1 && numberField(file, "numLines") === numberField(file, "totalLines");
  return isWhole && typeof file.content === "string" ? file.content : undefined;
}

function applyRecordedEdit(detail: JsonObject): string | undefined {
  const single = { old_string: detail.oldString, new_string: detail.newString, replace_all: detail.replaceAll };
  const edits = Array.isArray(detail.edits) ? listField(detail, "edits").filter(isObject) : [single];
  let content: string | undefined = originalOf(detail);
  for (const edit of edits) {
    if (content === undefined) return undefined;
    content = replace(content, edit);
  }
  return content;
}

/** A file that an edit created had no content before. */
function originalOf(detail: JsonObject): string | undefined {
  const original = detail.originalFile === undefined ? detail.originalFileContents : detail.originalFile;
  if (typeof original === "string") return original;
  return original === null && detail.oldString === "" ? "" : undefined;
}

function replace(text: string, edit: JsonObject): string | undefined {
  const before = textField(edit, "old_string");
  const after = textField(edit, "new_string");
  if (before === "") return text === "" ? after : undefined;
  const at = text.indexOf(before);
  if (at < 0) return undefined;
  if (edit.replace_all === true) return text.split(before).join(after);
  return text.slice(0, at) + after + text.slice(at + before.length);
}
