import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, textField } from "../../core/json-fields.ts";

/** A file before and after a call that wrote to it. */
interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * What a call of Write, Edit or MultiEdit left of its file, by its structured result; `undefined` for a call that failed, whose result
 * names no file, and for every other tool.
 */
export function parseChangedFile(tool: string, input: JsonObject, response: unknown): ChangedFile | undefined {
  const path = isObject(response) ? textField(response, "filePath") : "";
  if (path === "" || !isObject(response)) return undefined;
  const before = textField(response, "originalFile") || textField(response, "originalFileContents");
  if (tool === "Write") return { path, before, after: textField(input, "content") };
  if (tool === "Edit") return applyChanges(path, before, [input]);
  if (tool === "MultiEdit") return applyChanges(path, before, listField(input, "edits").filter(isObject));
  return undefined;
}

/** Where the client does not tell the whole file, the parts that were exchanged stand for it. */
function applyChanges(path: string, whole: string, changes: readonly JsonObject[]): ChangedFile {
  const parts = changes.map((change) => ({
    old: textField(change, "old_string"),
    now: textField(change, "new_string"),
    isAll: change.replace_all === true,
  }));
  const after = parts.reduce(
    (text: string | undefined, { old, now, isAll }) =>
      text === undefined || !text.includes(old)
        ? undefined
        : isAll
          ? text.replaceAll(old, () => now)
          : text.replace(old, () => now),
    whole,
  );
  return after === undefined || whole === ""
    ? { path, before: parts.map(({ old }) => old).join("\n"), after: parts.map(({ now }) => now).join("\n") }
    : { path, before: whole, after };
}
