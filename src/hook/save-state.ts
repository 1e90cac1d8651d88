import type { Happened } from "../session/compaction/continuation.ts";
import { toStateSave } from "../session/project-state/to-state-save.ts";
import { type SaveReport, saveProjectState } from "../store/project-state.ts";
import type { HookContext } from "./hook.ts";

/** Into the project's `.plimsoll/`; throws where that cannot be written. */
export function saveState(happened: Happened, context: HookContext): SaveReport {
  return saveProjectState(context.project, toStateSave(happened), context.nowMs());
}
