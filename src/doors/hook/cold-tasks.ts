import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { writeAtomically } from "../../files/write-file.ts";
import type { SessionState } from "../../session/session.ts";
import { decideColdRun } from "../../survive/cold-tasks/decide-cold-run.ts";
import type { ColdMoment, ColdState } from "../../survive/cold-tasks/is-look-due.ts";
import { planColdTasks } from "../../survive/cold-tasks/plan-cold-tasks.ts";
import { locateColdState, locateHome, readColdState } from "./cold-look.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { openSessionData } from "./session-data.ts";

/** Opens the session for one look and remembers how far it was read. */
export function lookForColdTasks(input: HookInput, context: HookContext, moment: ColdMoment): void {
  const data = openSessionData(input, context);
  if (data === undefined) return;
  writeColdTasks(data.happened().state, { input, context, moment });
  data.save();
}

interface Look {
  readonly input: HookInput;
  readonly context: HookContext;
  readonly moment: ColdMoment;
}

/** One file per task that is done and no longer spoken of, at the paths where the pipeline has always kept them. */
export function writeColdTasks(state: SessionState, { input, context, moment }: Look): void {
  const file = locateColdState(input, context);
  const known = readColdState(file);
  const decision = decideColdRun(known, { request: state.requests.count, usedPercent: moment.usedPercent });
  if (decision.action === "look") {
    const { writes } = planColdTasks(state, {
      home: locateHome(context),
      sessionId: input.sessionId,
      compressedAt: new Date(context.nowMs()).toISOString(),
      hasFile: existsSync,
    });
    for (const { path: target, summary } of writes) writeJson(target, summary);
  }
  // After the work: a look that dies is made again.
  const next: ColdState = { ...decision.next, lastCheckCalls: moment.calls };
  writeJson(file, next);
}

function writeJson(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${JSON.stringify(value, null, 2)}\n`);
}
