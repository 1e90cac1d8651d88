import { failure, leaveState, putPause, rememberDecisions } from "../../files/leave-state.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { HookContext } from "./hook.ts";
import { openProject } from "./read-project.ts";
import { hearResult, openSessionData } from "./session-data.ts";

/** Writes into the project's `.plimsoll/`; rejects if that cannot be written. */
export async function saveState(happened: Happened, context: HookContext): Promise<void> {
  const { project, settings, nowMs } = context;
  const isEnd = context.event === "SessionEnd";
  await leaveState(openProject(context), { project, happened, settings, isEnd, nowMs: nowMs() });
}

/** Saves the session's state; returns the reason if that failed. */
export function trySave(context: HookContext): Promise<string | undefined> {
  return failure(async () => {
    const data = openSessionData(context);
    if (data === undefined) throw new Error("the transcript cannot be read");
    await saveState(hearResult(data.happened(), context), context);
    data.save();
  });
}

export function tryRemember(context: HookContext, lessons: readonly string[]): Promise<string | undefined> {
  return failure(() => rememberDecisions(openProject(context), context.project, lessons, context.nowMs()));
}

export function tryPause(context: HookContext, text: string): Promise<string | undefined> {
  return failure(() => putPause(openProject(context), context.project, text));
}
