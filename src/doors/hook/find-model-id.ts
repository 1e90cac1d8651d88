import { textField } from "../../core/json.ts";
import type { HookContext } from "./hook.ts";
import { readLoad } from "./load/read-load.ts";
import { locateTrusted } from "./trusted-file.ts";

/** The model by whose tokenizer and price an injection is weighed; empty if unknown. */
export function findModelId(context: HookContext): string {
  const named = textField(context.raw, "model");
  if (named !== "") return named;
  const transcript = locateTrusted(context);
  return transcript === undefined ? "" : readLoad(transcript, context).model;
}
