import { textField } from "../../core/json.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { ran } from "../../policy/steps/ran.ts";
import { findModelId } from "./find-model-id.ts";
import type { HookAnswer, HookContext, HookInput } from "./hook.ts";
import { readPolicy, writePolicy } from "./policy-files.ts";
import { answerStep } from "./settle-step.ts";

/** Reminds the model to write tersely, if that is due after this call. */
export async function answerAfterCall(
  input: HookInput,
  context: HookContext,
  { tool, input: given }: HookCall,
): Promise<HookAnswer> {
  const before = readPolicy(context.folder);
  // The phase is needed only in a team that writes tersely, and reading the session takes a while.
  const open = before.red.density.isTeamDense ? (await import("./session-data.ts")).openSessionData : undefined;
  const step = ran(before, {
    action: claudeCodeVocabulary.interpretCall(tool, given),
    asked: textField(given, "prompt"),
    phase: () => open?.(input, context)?.happened().state.phase.phase ?? "research",
    model: () => findModelId(input, context),
  });
  writePolicy(context.folder, before, step.state);
  return answerStep(step.commands);
}
