import { readDocRules } from "../../files/project-reader.ts";
import { parseHookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseChangedFile } from "../../hosts/claude-code/interpret-call.ts";
import { documentChanged, isChecked } from "../../policy/steps/document-changed.ts";
import { findModelId } from "./find-model-id.ts";
import { type HookAnswer, type HookContext, type HookInput, NOTHING } from "./hook.ts";
import { readPolicy, writePolicy } from "./policy-files.ts";
import { openProject } from "./read-project.ts";
import { answerStep } from "./settle-step.ts";

/** After a change of a document; nothing is read before. */
export async function tellDocuments(input: HookInput, context: HookContext): Promise<HookAnswer> {
  const { folder, project } = context;
  const { tool, input: given, response } = parseHookCall(input.raw);
  const document = parseChangedFile(tool, given, response);
  if (document === undefined || !isChecked(document.path, project)) return NOTHING;
  const before = readPolicy(folder);
  const conventions = await readDocRules(openProject(context), project);
  const step = documentChanged(before, { document, project, conventions, model: () => findModelId(input, context) });
  writePolicy(folder, before, step.state);
  return answerStep(step.commands);
}
