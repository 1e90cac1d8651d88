import { isObject, parseJson } from "../core/json.ts";
import type { SessionState } from "../session/session.ts";
import { coldStatePath, coldTaskPath } from "../survive/cold-tasks/cold-paths.ts";
import {
  type ColdMoment,
  type ColdState,
  decideColdRun,
  isColdLookDue,
  parseColdState,
} from "../survive/cold-tasks/is-look-due.ts";
import { parseColdTask } from "../survive/cold-tasks/plan-cold-maintenance.ts";
import { type ColdTaskSummary, planColdTasks } from "../survive/cold-tasks/plan-cold-tasks.ts";
import { readText } from "./project-reader.ts";
import type { ProjectStore } from "./save-project-state.ts";

export interface ColdSession {
  readonly store: Pick<ProjectStore, "read" | "kindOf" | "write">;
  /** The folder above `.claude/data`. */
  readonly home: string;
  readonly sessionId: string;
  readonly nowMs: number;
}

/** What we write is a few thousand bytes. */
const MAX_BYTES = 1 << 20;

/** Writes down what is done and no longer mentioned, one file per task, at the paths of the pipeline. The session is read only if a look is due. */
export async function writeColdTasks(
  cold: ColdSession,
  moment: ColdMoment,
  recall: () => SessionState | undefined,
): Promise<void> {
  if (moment.action !== undefined && !isColdLookDue(moment.action, moment)) return;
  const known = await readState(cold);
  if (moment.action !== undefined && !isColdLookDue(moment.action, moment, known)) return;
  const state = recall();
  if (state === undefined) return;
  const { sessionId, home, nowMs, store } = cold;
  const { isDue, lastCheckTurn } = decideColdRun(known, state.requests.count, moment);
  if (isDue) {
    const paths = state.work.map(({ id }) => coldTaskPath(home, sessionId, id));
    const kinds = await Promise.all(paths.map((path) => store.kindOf(path)));
    const there = new Set(paths.filter((_, index) => kinds[index] !== undefined));
    const compressedAt = new Date(nowMs).toISOString();
    const writes = planColdTasks(state, { home, sessionId, compressedAt, hasFile: (path) => there.has(path) });
    for (const { path, summary } of writes) await store.write(path, render(summary));
  }
  // Written after the work, so that a look that fails is repeated. A turn's end that changed nothing is not worth a file.
  const isNews = moment.action !== undefined || lastCheckTurn !== known.lastCheckTurn;
  const next: ColdState = { lastCheckTurn, lastCheckCalls: moment.calls };
  if (isNews) await store.write(coldStatePath(home, sessionId), render(next));
}

/** The summaries of this session's finished tasks that were written before the window filled up. */
export async function readColdTasks(cold: ColdSession, { work }: SessionState): Promise<readonly ColdTaskSummary[]> {
  const done = work.filter(({ status }) => status === "done");
  const found = await Promise.all(
    done.map(async ({ id }) => parseColdTask(await readJson(cold, coldTaskPath(cold.home, cold.sessionId, id)))),
  );
  return found.filter((summary) => summary !== undefined);
}

async function readState(cold: ColdSession): Promise<ColdState> {
  const value = await readJson(cold, coldStatePath(cold.home, cold.sessionId));
  return parseColdState(isObject(value) ? value : {});
}

async function readJson({ store }: ColdSession, path: string): Promise<unknown> {
  return parseJson((await readText(store, path, MAX_BYTES)) ?? "");
}

function render(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
