import { textField } from "../../core/json.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { ran } from "../../policy/steps/ran.ts";
import { findModelId } from "./find-model-id.ts";
import type { HookAnswer, HookContext, HookInput } from "./hook.ts";
import { readPolicy, writePolicy } from "./policy-files.ts";
import { answerStep } from "./settle-step.ts";

/** What a call that came back says of how tersely to write. */
export async function answerAfterCall(
  input: HookInput,
  context: HookContext,
  { tool, input: given }: HookCall,
): Promise<HookAnswer> {
  const before = readPolicy(context.folder);
  // Only where a team writes tersely is the phase asked for: what a session has come to takes a while to read.
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
