import { isObject } from "../../core/json-fields.ts";
import { measurePercent } from "../../policy/advice/quote-health.ts";
import type { Action } from "../../session/action.ts";
import { coldStatePath, coldTaskPath } from "../../survive/cold-tasks/cold-paths.ts";
import { CONTEXT_THRESHOLD, decideColdRun } from "../../survive/cold-tasks/decide-cold-run.ts";
import {
  type ColdMoment,
  type ColdState,
  isColdLookDue,
  parseColdState,
} from "../../survive/cold-tasks/is-look-due.ts";
import { planColdTasks } from "../../survive/cold-tasks/plan-cold-tasks.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";

/** After a call that changes something: tasks that are done and no longer spoken of are written down while they are known. */
export async function lookForColdTasks($: Engine, live: Live, action: Action): Promise<void> {
  const moment = momentOf(live);
  if ((moment.usedPercent ?? 0) < CONTEXT_THRESHOLD) return;
  const known = await readState($, live);
  if (isColdLookDue(action, moment, () => known)) await writeColdTasks($, live, known, moment);
}

/** At the end of a turn there is time. */
export async function lookAtTurnEnd($: Engine, live: Live): Promise<void> {
  const moment = momentOf(live);
  if (moment.usedPercent !== undefined) await writeColdTasks($, live, await readState($, live), moment);
}

async function writeColdTasks($: Engine, live: Live, known: ColdState, moment: ColdMoment): Promise<void> {
  const { state } = live.watch.happened();
  const decision = decideColdRun(known, { request: state.requests.count, usedPercent: moment.usedPercent });
  if (decision.action === "look") {
    const paths = state.work.map(({ id }) => coldTaskPath(live.home, live.sessionId, id));
    const there = await Promise.all(paths.map((path) => $.fs.exists(path).catch(() => true)));
    const { writes } = planColdTasks(state, {
      home: live.home,
      sessionId: live.sessionId,
      compressedAt: new Date().toISOString(),
      hasFile: (path) => there[paths.indexOf(path)] ?? true,
    });
    for (const { path, summary } of writes) await $.fs.write(path, `${JSON.stringify(summary, null, 2)}\n`);
  }
  // After the work: a look that dies is made again.
  const next: ColdState = { ...decision.next, lastCheckCalls: moment.calls };
  if (decision.action === "look" || next.lastCheckTurn !== known.lastCheckTurn)
    await $.fs.write(coldStatePath(live.home, live.sessionId), `${JSON.stringify(next, null, 2)}\n`);
}

function momentOf({ watch }: Live): ColdMoment {
  const health = watch.health();
  return { usedPercent: measurePercent(health), calls: health.toolCalls };
}

async function readState($: Engine, { home, sessionId }: Live): Promise<ColdState> {
  const text = await $.fs.read(coldStatePath(home, sessionId)).catch(() => "{}");
  try {
    const value: unknown = JSON.parse(text);
    return parseColdState(isObject(value) ? value : {});
  } catch {
    return parseColdState({});
  }
}
