import { type JsonObject, textField } from "../../core/json.ts";
import { ASKED_HANDLE, splitHandles } from "../../fold/marker.ts";

/** Where originals are stored, and the commands that show them. */
const PLACES = [".plimsoll/artifacts", ".plimsoll\\artifacts", "plimsoll artifacts", "plimsoll:"] as const;

/** Whether a call fetches an original that was folded. Folding its answer again would keep the original out of reach for ever. */
export function isRecall(tool: string, input: JsonObject): boolean {
  if (/plimsoll/i.test(tool)) return true;
  if (tool === "recall" && splitHandles(input.handle).some((handle) => ASKED_HANDLE.test(handle))) return true;
  const asked = ["file_path", "filePath", "path", "command", "pattern", "glob", "handle"];
  return asked.some((field) => PLACES.some((place) => textField(input, field).includes(place)));
}
