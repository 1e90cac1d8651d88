import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { saveProjectState } from "../../files/save-project-state.ts";
import { toStateSave } from "../../survive/project-state/to-state-save.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { openSessionData } from "./session-data.ts";
import { hearResult } from "./told-result.ts";

/** Into the project's `.plimsoll/`; rejects where that cannot be written. */
export async function saveState(happened: Happened, { project, nowMs }: HookContext): Promise<void> {
  await saveProjectState(nodeProjectFiles, project, toStateSave(happened), nowMs());
}

/** Puts what the session has come to on disk; why that did not work, where it did not. */
export async function trySave(input: HookInput, context: HookContext): Promise<string | undefined> {
  try {
    const data = openSessionData(input, context);
    if (data === undefined) return "the transcript cannot be read";
    await saveState(hearResult(data.happened(), input), context);
    data.save();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
