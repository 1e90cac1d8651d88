import { type ColdSession, readColdTasks, writeColdTasks } from "../../files/cold-tasks.ts";
import { type ColdMoment, measureColdMoment } from "../../survive/cold-tasks/is-look-due.ts";
import type { ColdTaskSummary } from "../../survive/cold-tasks/plan-cold-tasks.ts";
import type { Live } from "./live.ts";

/** Writes down tasks that are done and no longer mentioned, while they are known. A failure costs the notes, never the turn. */
export async function lookForColdTasks(live: Live, at: Partial<ColdMoment>): Promise<void> {
  const moment = { ...measureColdMoment(live.watch.health()), ...at };
  try {
    await writeColdTasks(coldSessionOf(live), moment, () => live.watch.happened().state);
  } catch (error) {
    const why = `the summaries of finished tasks could not be written: ${String(error)}`;
    live.journal.note("session.append", { kind: "failed", why });
  }
}

/** Before a window is emptied: writes down what is cold now, and returns all that was written for this session. */
export async function collectColdTasks(live: Live): Promise<readonly ColdTaskSummary[]> {
  await lookForColdTasks(live, { isLast: true });
  return readColdTasks(coldSessionOf(live), live.watch.happened().state);
}

function coldSessionOf({ files, coldHome, sessionId, nowMs }: Live): ColdSession {
  return { store: files, home: coldHome, sessionId, nowMs: nowMs() };
}
