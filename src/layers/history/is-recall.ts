import { type JsonObject, textField } from "../../core/json.ts";

/** Where originals are stored, and the commands that show them. */
const PLACE = /plimsoll(?:[\\/ ]artifacts|:)/;
/** A handle as the library's tool takes it, bare or in a list. */
const HANDLE = /\b[0-9a-f]{6,}\b/i;

/** Whether a call fetches an original that was folded. Folding its answer again would keep the original out of reach for ever. */
export function isRecall(tool: string, input: JsonObject): boolean {
  if (/plimsoll/i.test(tool)) return true;
  if (tool === "recall" && HANDLE.test(`${input.handle}`)) return true;
  const asked = ["file_path", "filePath", "path", "command", "pattern", "glob", "handle"];
  return asked.some((field) => PLACE.test(textField(input, field)));
}
