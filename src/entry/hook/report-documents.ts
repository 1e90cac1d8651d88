import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseChangedFile } from "../../hosts/claude-code/interpret-call.ts";
import { documentChanged, isChecked } from "../../policy/steps/document-changed.ts";
import { type HookAnswer, type HookContext, NOTHING } from "./hook.ts";
import { findModelId } from "./load/read-load.ts";
import { askPolicy } from "./settle-step.ts";

/** After a change of a document; nothing is read before. */
export async function reportDocuments(context: HookContext, { tool, input, response }: HookCall): Promise<HookAnswer> {
  const { project, settings } = context;
  const document = parseChangedFile(tool, input, response);
  if (document === undefined || !isChecked(document.path, project)) return NOTHING;
  const changed = { document, project, model: () => findModelId(context) };
  return askPolicy(context, (before) => documentChanged(before, changed, settings));
}
