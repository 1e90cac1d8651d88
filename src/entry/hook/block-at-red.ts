import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary, onlyLooks } from "../../hosts/claude-code/vocabulary.ts";
import { called } from "../../policy/steps/called.ts";
import { type HookAnswer, type HookContext, NOTHING } from "./hook.ts";
import { assessLoad } from "./load/assess-load.ts";
import { askPolicy, settleStep } from "./settle-step.ts";

/** A call while the window may be nearly full. If nothing can be remembered, nothing is refused. */
export async function blockAtRed(context: HookContext, { tool, input }: HookCall): Promise<HookAnswer> {
  const { folder, env, project, nowMs, settings } = context;
  if (folder === undefined) return NOTHING;
  const health = assessLoad(context);
  const call = {
    tool,
    action: claudeCodeVocabulary.interpretCall(tool, input),
    isLook: onlyLooks(tool),
    health,
    project,
    nowMs: nowMs(),
    isOverridden: env.PLIMSOLL_NO_BLOCK === "1",
  };
  return askPolicy(context, (before) => settleStep(context, called(before, call, settings), health.model));
}
