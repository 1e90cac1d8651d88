import { writeColdTasks } from "../../../files/cold-tasks.ts";
import { readRegularFile } from "../../../files/read-regular-file.ts";
import { type PolicyStep, stay } from "../../../policy/command.ts";
import type { PolicyState } from "../../../policy/policy-state.ts";
import { responded } from "../../../policy/steps/said.ts";
import { isCountDue, keepForPrompt, turnEnded } from "../../../policy/steps/turn-ended.ts";
import { countToolsAtStart } from "../clients/claude-code/client.ts";
import { coldSessionOf, measureCold } from "../cold-session.ts";
import { checkFolds } from "../fold/fold-log.ts";
import type { Hook, HookContext, HookInput } from "../hook.ts";
import { assessLoad } from "../load/assess-load.ts";
import { readPolicy, writePolicy } from "../policy-files.ts";
import { landRestore } from "../restore/restore.ts";
import { openSessionData, type SessionData } from "../session-data.ts";
import { answerStep } from "../settle-step.ts";
import { locateTrusted } from "../trusted-file.ts";

/** A transcript is short at the end of its first turn, the only time that its start is read. */
const MAX_START_BYTES = 4 << 20;

/** The person is reading, so there is time to update and save the session's state. */
export const stop: Hook = async (input, context) => {
  const deeds = [...checkFolds(input, context), ...landRestore(input, context).deeds];
  const data = openSessionData(input, context);
  if (data === undefined) return { deeds };
  if (context.folder !== undefined)
    await writeColdTasks(coldSessionOf(input, context), measureCold(data, context), () => data.happened().state);
  data.save();
  const before = readPolicy(context.folder);
  const step = input.event === "Stop" ? endTurn(input, context, { data, before }) : stay(before);
  writePolicy(context.folder, before, countResponse(step.state));
  return { ...answerStep(step.commands, deeds), client: data.version };
};

function endTurn(
  input: HookInput,
  context: HookContext,
  { data, before }: { readonly data: SessionData; readonly before: PolicyState },
): PolicyStep {
  const file = isCountDue(before) ? locateTrusted(input.transcript, context) : undefined;
  const tools = countToolsAtStart(file === undefined ? "" : (readRegularFile(file, MAX_START_BYTES) ?? ""));
  const { health } = assessLoad(input, context);
  // A hook's message at this event is not shown (seen in 2.1.197).
  return keepForPrompt(
    turnEnded(before, { health, phase: data.happened().state.phase.phase, tools }, context.settings),
  );
}

/** Terse writing does not begin with the first response of a task, so responses are counted while it matters. */
function countResponse(state: PolicyState): PolicyState {
  const { manual, auto } = state.red.density;
  return manual === "caveman" || auto !== null ? responded(state) : state;
}
