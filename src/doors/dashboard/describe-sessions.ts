import path from "node:path";
import { sumContextTokens } from "../../core/usage.ts";
import { billRequests, isAtLeast } from "../../models/economics/bill.ts";
import type { KnownSession } from "./describe-spend.ts";
import { nameProject } from "./name-project.ts";
import { nameKey } from "./shelf.ts";
import type { SessionRow } from "./wire.ts";

/** Every recorded session in which anything was asked, newest first. */
export function describeSessions(
  sessions: readonly KnownSession[],
  isRunning: (session: KnownSession) => boolean,
): readonly SessionRow[] {
  return sessions
    .filter(({ scanned }) => scanned.steps.length > 0)
    .map((session): SessionRow => {
      const { scanned } = session;
      const { file, steps } = scanned;
      const times = steps.flatMap(({ atMs }) => (atMs === undefined ? [] : [atMs]));
      const bill = billRequests(steps);
      const own = steps.filter(({ isSidechain }) => file.isSubagent || !isSidechain);
      return {
        key: nameKey(file.path),
        title: scanned.title || path.basename(file.path, ".jsonl"),
        project: nameProject(file),
        model: own.at(-1)?.model ?? "",
        isSubagent: file.isSubagent,
        isRunning: isRunning(session),
        startMs: times[0] ?? null,
        lastMs: times.at(-1) ?? file.modifiedMs,
        requests: steps.length,
        totalUsd: bill.spend.totalUsd,
        isCostAtLeast: isAtLeast(bill),
        peakTokens: own.reduce((most, { usage }) => Math.max(most, sumContextTokens(usage)), 0),
        compactions: scanned.compactions.length,
      };
    })
    .sort((left, right) => right.lastMs - left.lastMs);
}
