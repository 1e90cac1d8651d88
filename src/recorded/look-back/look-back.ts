import { type CacheMiss, type MissedUsd, sumMissedUsd } from "../../measure/cache-miss.ts";
import { billRequests, isLowerBound } from "../../models/economics/bill.ts";
import { type ClientSpend, spendByClient } from "../accounts.ts";
import type { Calendar } from "../calendar.ts";
import type { Period, ScannedFile } from "../join-scans.ts";
import { passOverSubagents } from "../own-data.ts";

/** What the last days of work cost, in dollars at list prices. */
export interface LookBack extends Pick<ClientSpend, "sessions" | "requests" | "totalUsd" | "isAtLeast" | "isAssumed"> {
  /** The first moment that counts, and the first that no longer does. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly days: number;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Whether the days end today. If they hold no request, they end with the last recorded request instead. */
  readonly isUntilNow: boolean;
  /** The same by client, the most expensive first. */
  readonly clients: readonly ClientSpend[];
  readonly unpricedRequests: number;
  readonly unfinalOutputRequests: number;
  /** The cache expired during a break: the cost of writing again, above reading. */
  readonly pauses: LostToCache;
  readonly otherMisses: LostToCache;
  /** Those that can be read. */
  readonly files: readonly string[];
}

export interface LostToCache extends MissedUsd {
  readonly count: number;
  readonly sessions: number;
}

const DAY_MS = 86_400_000;
const DAYS = 30;

/** `undefined` if no request with a time is recorded. */
export function lookBack(
  scanned: readonly ScannedFile[],
  { nowMs, calendar }: { readonly nowMs: number; readonly calendar: Calendar },
): LookBack | undefined {
  const newestMs = scanned.reduce(
    (newest, { ownSteps }) => ownSteps.reduce((latest, { atMs = 0 }) => Math.max(latest, atMs), newest),
    0,
  );
  if (newestMs === 0) return undefined;
  const isUntilNow = newestMs >= nowMs - DAYS * DAY_MS;
  const untilMs = isUntilNow ? Math.max(nowMs, newestMs) + 1 : newestMs + 1;
  const fromMs = calendar.shiftDay(untilMs - 1, -DAYS);
  const parts = scanned.flatMap((file) => {
    const spent = selectSpent(file, { fromMs, untilMs });
    return spent.steps.length === 0 ? [] : [{ file, ...spent }];
  });
  const bill = billRequests(parts.flatMap(({ steps }) => steps));
  return {
    fromMs,
    untilMs,
    days: DAYS,
    firstDay: calendar.nameDay(fromMs),
    lastDay: calendar.nameDay(untilMs - 1),
    isUntilNow,
    sessions: passOverSubagents(parts, ({ file }) => file.file).length,
    requests: parts.reduce((sum, { steps }) => sum + steps.length, 0),
    clients: spendByClient(parts.map(({ file, steps }) => ({ file: file.file, steps }))),
    totalUsd: bill.spend.totalUsd,
    isAtLeast: isLowerBound(bill),
    isAssumed: bill.isAssumed,
    unpricedRequests: bill.unpriced,
    unfinalOutputRequests: bill.unfinal,
    pauses: sumLost(parts.map(({ misses }) => misses.filter(({ cause }) => cause === "idle"))),
    otherMisses: sumLost(parts.map(({ misses }) => misses.filter(({ cause }) => cause !== "idle"))),
    files: parts.flatMap(({ file }) => (file.keptOf === undefined ? [file.file.path] : [])),
  };
}

/** Requests that no other file holds, with their cache misses; of all times, or of a period. */
export function selectSpent({ ownSteps, misses }: ScannedFile, period?: Period): Pick<ScannedFile, "steps" | "misses"> {
  const steps = period
    ? ownSteps.filter(({ atMs = Number.NaN }) => atMs >= period.fromMs && atMs < period.untilMs)
    : ownSteps;
  if (misses.length === 0) return { steps, misses };
  const own = new Set(steps.map(({ stepId }) => stepId));
  return { steps, misses: misses.filter(({ stepId }) => own.has(stepId)) };
}

function sumLost(bySession: readonly (readonly CacheMiss[])[]): LostToCache {
  const misses = bySession.flat();
  return {
    ...sumMissedUsd(misses),
    count: misses.length,
    sessions: bySession.filter(({ length }) => length > 0).length,
  };
}
