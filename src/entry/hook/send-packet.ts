import { delegated } from "../../policy/steps/delegated.ts";
import { type HookAnswer, type HookContext, NOTHING } from "./hook.ts";
import { findModelId } from "./load/read-load.ts";
import { openSessionData } from "./session-data.ts";
import { answerStep } from "./settle-step.ts";

/** The state of the session that starts a subagent, for that subagent. */
export function sendPacket(context: HookContext): HookAnswer {
  const state = openSessionData(context)?.happened().state;
  if (state === undefined) return NOTHING;
  const tasks = state.openCalls.flatMap(({ action }) => (action.kind === "delegate" ? [action.prompt] : []));
  // With several at once, it is unknown which one this is.
  const task = tasks.length === 1 ? (tasks[0] ?? "") : "";
  const packet = { task, state, root: context.project, model: () => findModelId(context) };
  return answerStep(delegated(packet, context.settings));
}
