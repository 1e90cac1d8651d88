import { join } from "node:path";
import { hasMade } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { hasBroken, releaseLock } from "../../../files/with-lock.ts";
import type { HookCall } from "../../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../../hosts/claude-code/vocabulary.ts";
import { isLoopDue, type LoopMoment } from "../../../policy/steps/looped.ts";
import { measured } from "../../../policy/steps/measured.ts";
import { coldStatePath, locateColdHome } from "../../../survive/cold-tasks/cold-paths.ts";
import {
  type ColdState,
  isColdLookDue,
  measureColdMoment,
  parseColdState,
} from "../../../survive/cold-tasks/is-look-due.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { type HookAnswer, type HookContext, NOTHING } from "../hook.ts";
import { askPolicy, settleStep } from "../settle-step.ts";
import { weighLoad } from "./assess-load.ts";
import type { HookLoad } from "./read-load.ts";

/** What a load that is not light calls for after a call: cold tasks are written down, and the model is advised. */
export async function followLoad(context: HookContext, load: HookLoad, { tool, input }: HookCall): Promise<HookAnswer> {
  const health = weighLoad(load, context);
  const action = claudeCodeVocabulary.interpretCall(tool, input);
  const moment = { ...measureColdMoment(health), action };
  // Reads a few bytes before the code for a look is loaded: there are ten requests between two looks.
  if (isColdLookDue(action, moment) && isColdLookDue(action, moment, readColdState(context))) {
    const { lookAfterCall } = await import("./look-closer.ts");
    await lookAfterCall(context, moment);
  }
  const { folder } = context;
  if (folder === undefined) return NOTHING;
  return tryAlone(folder, () => advise(context, { health, action, nowMs: context.nowMs() }, load.model));
}

function readColdState({ sessionId, configFolder, env }: HookContext): ColdState {
  return parseColdState(readObject(coldStatePath(locateColdHome(configFolder, env.HOME), sessionId)) ?? {});
}

function advise(context: HookContext, moment: LoopMoment, model: string): Promise<HookAnswer> {
  return askPolicy(context, async (before) => {
    const { health } = moment;
    const open = health.level === "ORANGE" ? (await import("../session-data.ts")).openSessionData : undefined;
    const happened = (): Happened | undefined => open?.(context)?.happened();
    const asked = measured(before, { health, model: () => model, happened }, context.settings);
    const step = await settleStep(context, asked, model);
    if (!isLoopDue(step.state, moment, context.settings)) return step;
    const { followLoop } = await import("./look-closer.ts");
    const { state, commands } = await followLoop(context, { state: step.state, moment, model });
    return { state, commands: [...step.commands, ...commands] };
  });
}

/** Runs only if no other process does. Of parallel calls, one gives the advice, and the others need not repeat it. */
async function tryAlone(folder: string, run: () => Promise<HookAnswer>): Promise<HookAnswer> {
  const lock = join(folder, "advice.lock");
  if (!hasMade(lock)) {
    hasBroken(lock);
    return NOTHING;
  }
  try {
    return await run();
  } finally {
    releaseLock(lock);
  }
}
