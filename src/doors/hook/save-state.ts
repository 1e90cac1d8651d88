import { type SaveReport, saveProjectState } from "../../files/project-state.ts";
import { toStateSave } from "../../survive/project-state/to-state-save.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { openSessionData } from "./session-data.ts";

/** Into the project's `.plimsoll/`; throws where that cannot be written. */
export function saveState(happened: Happened, context: HookContext): SaveReport {
  return saveProjectState(context.project, toStateSave(happened), context.nowMs());
}

/** Puts what the session has come to on disk; why that did not work, where it did not. */
export function trySave(input: HookInput, context: HookContext): string | undefined {
  try {
    const data = openSessionData(input, context);
    if (data === undefined) return "the transcript cannot be read";
    saveState(data.happened(), context);
    data.save();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
