import { type SaveReport, saveProjectState } from "../../files/project-state.ts";
import { toStateSave } from "../../survive/project-state/to-state-save.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import type { HookContext } from "./hook.ts";

/** Into the project's `.plimsoll/`; throws where that cannot be written. */
export function saveState(happened: Happened, context: HookContext): SaveReport {
  return saveProjectState(context.project, toStateSave(happened), context.nowMs());
}
