import { parseHookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { isProjectDocument } from "../../policy/rules/doc-rules.ts";
import { documentChanged } from "../../policy/steps/document-changed.ts";
import { answerStep } from "./answer-step.ts";
import { findModel } from "./find-model.ts";
import { type HookAnswer, type HookContext, type HookInput, NOTHING } from "./hook.ts";
import { readPolicy, writePolicy } from "./policy-files.ts";

/** After a change of a document; nothing is read before one is changed. */
export function tellDocuments(input: HookInput, context: HookContext): HookAnswer {
  const { tool, input: given } = parseHookCall(input.raw);
  const action = claudeCodeVocabulary.interpretCall(tool, given);
  const path = action.kind === "edit" || action.kind === "write" ? action.path : "";
  if (!isProjectDocument(path, context.project)) return NOTHING;
  const before = readPolicy(context.folder);
  const step = documentChanged(before, { path, project: context.project, model: () => findModel(input, context) });
  writePolicy(context.folder, before, step.state);
  return answerStep(step.commands);
}
