import { writeColdTasks } from "../../../files/cold-tasks.ts";
import { readRegularFile } from "../../../files/read-regular-file.ts";
import { type PolicyStep, stay } from "../../../policy/command.ts";
import type { PolicyState } from "../../../policy/policy-state.ts";
import { responded } from "../../../policy/steps/said.ts";
import { isCountDue, keepForPrompt, turnEnded } from "../../../policy/steps/turn-ended.ts";
import { findPhase } from "../../../session/phase.ts";
import { countToolsAtStart } from "../clients/claude-code/client.ts";
import { checkFolds } from "../fold/fold-log.ts";
import type { Hook, HookContext } from "../hook.ts";
import { assessLoad } from "../load/assess-load.ts";
import { landRestore } from "../restore/restore.ts";
import { coldSessionOf, measureCold, openSessionData, type SessionData } from "../session-data.ts";
import { askPolicy } from "../settle-step.ts";
import { locateTrusted } from "../trusted-file.ts";

/** A transcript is short at the end of its first turn, the only time that its start is read. */
const MAX_START_BYTES = 4 << 20;

/** The person is reading, so there is time to update and save the session's state. */
export const stop: Hook = async (context) => {
  const actions = [...checkFolds(context), ...landRestore(context).actions];
  const data = openSessionData(context);
  if (data === undefined) return { actions };
  if (context.folder !== undefined)
    await writeColdTasks(coldSessionOf(context), measureCold(data, context), () => data.happened().state);
  data.save();
  const ask = (before: PolicyState): PolicyStep => {
    const { state, commands } = context.event === "Stop" ? endTurn(before, context, data) : stay(before);
    return { state: countResponse(state), commands };
  };
  return { ...(await askPolicy(context, ask, actions)), client: data.version };
};

function endTurn(before: PolicyState, context: HookContext, data: SessionData): PolicyStep {
  const file = isCountDue(before) ? locateTrusted(context) : undefined;
  const tools = countToolsAtStart(file === undefined ? "" : (readRegularFile(file, MAX_START_BYTES) ?? ""));
  const phase = findPhase(data.happened().state.phase);
  // A hook's message at this event is not shown (seen in 2.1.197).
  return keepForPrompt(turnEnded(before, { health: assessLoad(context), phase, tools }, context.settings));
}

/** Terse writing does not begin with the first response of a task, so responses are counted while it matters. */
function countResponse(state: PolicyState): PolicyState {
  const { manual, auto } = state.red.density;
  return manual === "caveman" || auto !== null ? responded(state) : state;
}
