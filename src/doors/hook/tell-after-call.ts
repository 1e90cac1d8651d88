import { textField } from "../../core/json-fields.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { ran } from "../../policy/steps/ran.ts";
import { answerStep } from "./answer-step.ts";
import { findModel } from "./find-model.ts";
import type { HookAnswer, HookContext, HookInput } from "./hook.ts";
import { readPolicy, writePolicy } from "./policy-files.ts";
import { openSessionData } from "./session-data.ts";

/** What a call that came back says of how tersely to write. */
export function tellAfterCall(input: HookInput, context: HookContext, { tool, input: given }: HookCall): HookAnswer {
  const before = readPolicy(context.folder);
  const step = ran(before, {
    action: claudeCodeVocabulary.interpretCall(tool, given),
    asked: textField(given, "prompt"),
    phase: () => openSessionData(input, context)?.happened().state.phase.phase ?? "research",
    model: () => findModel(input, context),
  });
  writePolicy(context.folder, before, step.state);
  return answerStep(step.commands);
}
