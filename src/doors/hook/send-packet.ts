import { delegated } from "../../policy/steps/delegated.ts";
import { findModelId } from "./find-model-id.ts";
import { type HookAnswer, type HookContext, type HookInput, NOTHING } from "./hook.ts";
import { openSessionData } from "./session-data.ts";
import { answerStep } from "./settle-step.ts";

/** The state of the session that starts a subagent, for that subagent. */
export function sendPacket(input: HookInput, context: HookContext): HookAnswer {
  const state = openSessionData(input, context)?.happened().state;
  if (state === undefined) return NOTHING;
  const tasks = state.openCalls.flatMap(({ action }) => (action.kind === "delegate" ? [action.prompt] : []));
  // With several at once, it is unknown which one this is.
  const task = tasks.length === 1 ? (tasks[0] ?? "") : "";
  return answerStep(
    delegated({ task, state, root: context.project, model: () => findModelId(input, context) }, context.settings),
  );
}
