import { readDocRules } from "../../files/project-reader.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseChangedFile } from "../../hosts/claude-code/interpret-call.ts";
import { documentChanged, isChecked } from "../../policy/steps/document-changed.ts";
import { type HookAnswer, type HookContext, NOTHING } from "./hook.ts";
import { findModelId } from "./load/read-load.ts";
import { openProject } from "./read-project.ts";
import { askPolicy } from "./settle-step.ts";

/** After a change of a document; nothing is read before. */
export async function tellDocuments(context: HookContext, { tool, input, response }: HookCall): Promise<HookAnswer> {
  const { project } = context;
  const document = parseChangedFile(tool, input, response);
  if (document === undefined || !isChecked(document.path, project)) return NOTHING;
  const conventions = await readDocRules(openProject(context), project);
  const changed = { document, project, conventions, model: () => findModelId(context) };
  return askPolicy(context, (before) => documentChanged(before, changed));
}
