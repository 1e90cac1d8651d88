import { leaveState } from "../../files/leave-state.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { putPause } from "../../files/put-pause.ts";
import { rememberDecisions } from "../../files/remember-decisions.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { openSessionData } from "./session-data.ts";
import { hearResult } from "./told-result.ts";

/** Into the project's `.plimsoll/`; rejects where that cannot be written. */
export async function saveState(
  happened: Happened,
  { project, settings, nowMs }: HookContext,
  { isEnd }: { readonly isEnd: boolean } = { isEnd: false },
): Promise<void> {
  await leaveState(nodeProjectFiles, { project, happened, settings, isEnd, nowMs: nowMs() });
}

/** Puts what the session has come to on disk; why that did not work, where it did not. */
export function trySave(input: HookInput, context: HookContext): Promise<string | undefined> {
  return failure(async () => {
    const data = openSessionData(input, context);
    if (data === undefined) throw new Error("the transcript cannot be read");
    await saveState(hearResult(data.happened(), input), context);
    data.save();
  });
}

export function tryRemember({ project, nowMs }: HookContext, lessons: readonly string[]): Promise<string | undefined> {
  return failure(() => rememberDecisions(nodeProjectFiles, project, lessons, nowMs()));
}

export function tryPause({ project }: HookContext, text: string): Promise<string | undefined> {
  return failure(() => putPause(nodeProjectFiles, project, text));
}

async function failure(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
