import { join } from "node:path";
import { hasMade } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { hasBroken, releaseLock } from "../../../files/with-lock.ts";
import type { HookCall } from "../../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../../hosts/claude-code/vocabulary.ts";
import type { Health } from "../../../measure/health.ts";
import { isLoopDue } from "../../../policy/steps/looped.ts";
import { measured } from "../../../policy/steps/measured.ts";
import type { Action } from "../../../session/action.ts";
import { coldStatePath, locateColdHome } from "../../../survive/cold-tasks/cold-paths.ts";
import {
  type ColdState,
  isColdLookDue,
  measureColdMoment,
  parseColdState,
} from "../../../survive/cold-tasks/is-look-due.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { type HookAnswer, type HookContext, type HookInput, NOTHING } from "../hook.ts";
import { readPolicy, writePolicy } from "../policy-files.ts";
import { answerStep, settleStep } from "../settle-step.ts";
import { weighLoad } from "./assess-load.ts";
import type { HookLoad } from "./read-load.ts";

/** What a load that is not light calls for after a call: cold tasks are written down, and the model is advised. */
export async function followLoad(
  input: HookInput,
  context: HookContext,
  { load, call }: { readonly load: HookLoad; readonly call: HookCall },
): Promise<HookAnswer> {
  const health = weighLoad(load, context);
  const action = claudeCodeVocabulary.interpretCall(call.tool, call.input);
  const moment = { ...measureColdMoment(health), action };
  if (isColdLookDue(action, moment) && isColdLookDue(action, moment, readColdState(input, context))) {
    const { lookAfterCall } = await import("./look-after-call.ts");
    await lookAfterCall(input, context, moment);
  }
  const { folder } = context;
  if (folder === undefined) return NOTHING;
  return tryAlone(folder, () => advise(input, context, { health, action, model: load.model }));
}

/** Reads a few bytes before the code for a look is loaded: there are ten requests between two looks. */
function readColdState({ sessionId }: HookInput, { configFolder, env }: HookContext): ColdState {
  return parseColdState(readObject(coldStatePath(locateColdHome(configFolder, env.HOME), sessionId)) ?? {});
}

async function advise(
  input: HookInput,
  context: HookContext,
  { model, health, action }: { readonly health: Health; readonly action: Action; readonly model: string },
): Promise<HookAnswer> {
  const { folder, settings } = context;
  const before = readPolicy(folder);
  const open = health.level === "ORANGE" ? (await import("../session-data.ts")).openSessionData : undefined;
  const happened = (): Happened | undefined => open?.(input, context)?.happened();
  const asked = measured(before, { health, model: () => model, happened }, settings);
  let step = await settleStep(input, context, { step: asked, model });
  const moment = { health, action, nowMs: context.nowMs() };
  if (isLoopDue(step.state, moment, settings)) {
    const { followLoop } = await import("./follow-loop.ts");
    const { state, commands } = await followLoop(input, context, { state: step.state, moment, model });
    step = { state, commands: [...step.commands, ...commands] };
  }
  writePolicy(folder, before, step.state);
  return answerStep(step.commands);
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
