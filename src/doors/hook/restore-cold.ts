import type { SessionState } from "../../session/session.ts";
import { coldTaskPath } from "../../survive/cold-tasks/cold-paths.ts";
import { parseColdTask } from "../../survive/cold-tasks/plan-cold-maintenance.ts";
import type { ColdTaskSummary } from "../../survive/cold-tasks/summarize-cold-task.ts";
import { locateHome } from "./cold-look.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { readObject } from "./session-files.ts";

/** The summaries that were written down of this session's finished tasks before the window filled up. */
export function readColdTasks(
  { work }: SessionState,
  { sessionId }: HookInput,
  context: HookContext,
): readonly ColdTaskSummary[] {
  const home = locateHome(context);
  return work
    .filter(({ status }) => status === "done")
    .map(({ id }) => parseColdTask(readObject(coldTaskPath(home, sessionId, id))))
    .filter((summary) => summary !== undefined);
}
