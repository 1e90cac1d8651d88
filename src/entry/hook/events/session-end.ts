import { pruneEnded } from "../../../files/artifacts/prune-artifacts.ts";
import { findColdFiles, removeColdFiles } from "../../../files/cold-files.ts";
import { putPause } from "../../../files/leave-state.ts";
import { readPause } from "../../../files/project-reader.ts";
import { projects as claudeCode } from "../../../hosts/claude-code/disk/projects.ts";
import { rollouts as codex } from "../../../hosts/codex/disk/rollouts.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import type { ActionDetail } from "../../../policy/actions/own-action.ts";
import { endsPause, leavesSomething } from "../../../policy/steps/ended.ts";
import { planExpireSummaries } from "../../../survive/cold-tasks/plan-cold-maintenance.ts";
import type { Hook, HookContext } from "../hook.ts";
import { openProject } from "../read-project.ts";
import { saveState } from "../save-state.ts";
import { openSessionData } from "../session-data.ts";
import { readPolicy } from "../settle-step.ts";
import { stop } from "./stop.ts";

export const sessionEnd: Hook = async (context) => {
  const { actions = [], client = "" } = await stop(context);
  const failures = context.project === "" ? [] : await leave(context);
  if (context.project !== "") pruneOriginals(context);
  const files = findColdFiles(context.configFolder, context.env.HOME);
  removeColdFiles(planExpireSummaries(files, context.nowMs()));
  return { actions: [...actions, ...failures], client };
};

/** Originals are kept after their session, because it may be resumed, but not longer than its transcript. Both clients have hooks, and may both work here. */
function pruneOriginals({ configFolder, project, nowMs, env }: HookContext): void {
  const environment = { ...env, CLAUDE_CONFIG_DIR: configFolder };
  const sessions = [claudeCode, codex].map((client) => client.listSessions(environment));
  const known = sessions.filter((ids) => ids !== undefined);
  pruneEnded({
    project,
    dataFolder: locateData(configFolder),
    resumable: known.length < sessions.length ? undefined : new Set(known.flatMap((ids) => [...ids])),
    // Read only if something is due.
    get transcripts() {
      return [claudeCode, codex].flatMap((client) => client.listProject(environment, project).map((file) => file.path));
    },
    nowMs: nowMs(),
  });
}

/** Saves the work as it is now for the project's next session, not as it was when the window was last full. */
async function leave(context: HookContext): Promise<readonly ActionDetail[]> {
  try {
    const data = openSessionData(context);
    if (data === undefined || !leavesSomething(data.happened())) return [];
    await saveState(data.happened(), context);
    const files = openProject(context);
    const paused = await readPause(files, context.project);
    if (endsPause(readPolicy(context.folder), paused)) await putPause(files, context.project, "");
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ kind: "failed", why: `the project's state could not be saved at the session's end: ${why}` }];
  }
}
