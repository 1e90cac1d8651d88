import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary, onlyLooks } from "../../hosts/claude-code/vocabulary.ts";
import { called } from "../../policy/steps/called.ts";
import { type HookAnswer, type HookContext, type HookInput, NOTHING } from "./hook.ts";
import { assessLoad } from "./load/assess-load.ts";
import { readPolicy, writePolicy } from "./policy-files.ts";
import { answerStep, settleStep } from "./settle-step.ts";

/** A call while the window may be nearly full. If nothing can be remembered, nothing is refused. */
export async function blockAtRed(
  input: HookInput,
  context: HookContext,
  { tool, input: given }: HookCall,
): Promise<HookAnswer> {
  const { folder, env, project, nowMs, settings } = context;
  if (folder === undefined) return NOTHING;
  const before = readPolicy(folder);
  const { health } = assessLoad(input, context);
  const asked = called(
    before,
    {
      tool,
      action: claudeCodeVocabulary.interpretCall(tool, given),
      isLook: onlyLooks(tool),
      health,
      project,
      nowMs: nowMs(),
      isOverridden: env.PLIMSOLL_NO_BLOCK === "1",
    },
    settings,
  );
  const step = await settleStep(input, context, { step: asked, model: health.model });
  // A refusal that cannot be counted could repeat for ever: if writing throws, nothing is refused.
  writePolicy(folder, before, step.state);
  return answerStep(step.commands);
}
