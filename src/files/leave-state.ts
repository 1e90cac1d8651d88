import type { Settings } from "../policy/settings/settings.ts";
import { limitSave } from "../survive/project-state/plan-state-save.ts";
import { toStateSave } from "../survive/project-state/to-state-save.ts";
import type { Happened } from "../survive/record/continuation.ts";
import { readGitHead, renderGitHead } from "./read-git-head.ts";
import { type ProjectStore, type SaveReport, saveProjectState } from "./save-project-state.ts";

export interface LeavingSession {
  readonly project: string;
  readonly happened: Happened;
  readonly settings: Settings;
  readonly isEnd: boolean;
  readonly nowMs: number;
}

/** What the next session of a project must know, into its `.plimsoll/`, as the person has set it. */
export async function leaveState(store: ProjectStore, session: LeavingSession): Promise<SaveReport> {
  const { project, happened, settings, isEnd, nowMs } = session;
  const git = renderGitHead(await readGitHead(store, project));
  return saveProjectState(store, project, limitSave(toStateSave(happened, { git, isEnd }), settings.stateFiles), nowMs);
}
