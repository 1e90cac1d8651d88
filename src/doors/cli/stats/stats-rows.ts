import type { Usage } from "../../../core/usage.ts";
import { hostOfListed } from "../../../hosts/catalogue.ts";
import { isLowerBound } from "../../../models/economics/bill.ts";
import type { Spend } from "../../../models/economics/spend.ts";
import type { RecordedAccount } from "../../../recorded/accounts.ts";
import type { Calendar } from "../../../recorded/calendar.ts";
import type { ScannedFile } from "../../../recorded/join-scans.ts";

export const GROUPS = ["model", "day", "week", "month", "project", "host", "session"] as const;
export type StatsGroup = (typeof GROUPS)[number];
export interface StatsGrouping {
  readonly by: StatsGroup;
  readonly calendar: Calendar;
}
export const ORDERS = ["cost", "pauses", "requests", "newest"] as const;
export type Order = (typeof ORDERS)[number];

export function* listSteps(
  scanned: readonly ScannedFile[],
  group: StatsGrouping,
): Generator<readonly [string, ScannedFile["ownSteps"][number]]> {
  for (const file of scanned) for (const step of file.ownSteps) yield [nameKey(file, step, group), step];
}

function nameKey(
  { file, sessionId, project }: ScannedFile,
  { model, atMs }: { readonly model: string; readonly atMs: number | undefined },
  { by, calendar }: StatsGrouping,
): string {
  if (by === "model") return model || "unknown";
  if (by === "project") return project;
  if (by === "host") return hostOfListed(file).title;
  if (by === "session") return sessionId || file.path;
  return atMs === undefined ? "undated" : nameTime(atMs, by, calendar);
}

export function isTime(by: StatsGroup): boolean {
  return by === "day" || by === "week" || by === "month";
}

/** A week is named by its Monday. */
function nameTime(atMs: number, by: StatsGroup, calendar: Calendar): string {
  if (by === "month") return calendar.nameMonth(atMs);
  return by === "week" ? calendar.nameWeek(atMs) : calendar.nameDay(atMs);
}

interface Beside {
  /** The title of the row's only session; empty for other rows. */
  readonly title: string;
  readonly lastMs: number;
  /** The cost and number of pauses longer than the life of the prompt cache. */
  readonly pausesUsd: number;
  readonly pauses: number;
  /** How many of them have no price. */
  readonly unpricedPauses: number;
}

export const NO_DETAILS: Beside = { title: "", lastMs: 0, pausesUsd: 0, pauses: 0, unpricedPauses: 0 };

export function describeKeys(scanned: readonly ScannedFile[], group: StatsGrouping): ReadonlyMap<string, Beside> {
  const beside = new Map<string, Beside>();
  for (const file of scanned) {
    const paused = new Map(
      file.misses.filter(({ cause }) => cause === "idle").map(({ stepId, extraUsd }) => [stepId, extraUsd]),
    );
    for (const step of file.ownSteps) {
      const key = nameKey(file, step, group);
      const known = beside.get(key) ?? NO_DETAILS;
      const usd = paused.get(step.stepId);
      const isPause = paused.has(step.stepId);
      beside.set(key, {
        title: group.by === "session" ? nameSession(known.title, file) : "",
        lastMs: Math.max(known.lastMs, step.atMs ?? 0),
        pausesUsd: known.pausesUsd + (usd ?? 0),
        pauses: known.pauses + (isPause ? 1 : 0),
        unpricedPauses: known.unpricedPauses + (isPause && usd === undefined ? 1 : 0),
      });
    }
  }
  return beside;
}

/** A subagent's title is used only if the session's own file is missing. */
function nameSession(known: string, { file, title }: ScannedFile): string {
  return file.isSubagent ? known || title : title || known;
}

export function sumBeside(beside: ReadonlyMap<string, Beside>): Beside {
  return [...beside.values()].reduce(
    (sum, { lastMs, pausesUsd, pauses, unpricedPauses }) => ({
      title: "",
      lastMs: Math.max(sum.lastMs, lastMs),
      pausesUsd: sum.pausesUsd + pausesUsd,
      pauses: sum.pauses + pauses,
      unpricedPauses: sum.unpricedPauses + unpricedPauses,
    }),
    NO_DETAILS,
  );
}

interface ToldAccount extends Usage, Spend {
  readonly key: string;
  readonly requests: number;
  readonly cacheWriteTokens: number;
  readonly unpricedRequests: number;
  readonly priceIsAssumed: boolean;
  readonly unfinalOutputRequests: number;
  readonly isAtLeast: boolean;
}

export function describeAccount(key: string, account: RecordedAccount): ToldAccount {
  const { requests, usage, spend, unpriced, isAssumed, unfinal } = account;
  const cacheWriteTokens = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  const standing = { unpricedRequests: unpriced, priceIsAssumed: isAssumed, unfinalOutputRequests: unfinal };
  return { key, requests, ...usage, cacheWriteTokens, ...spend, ...standing, isAtLeast: isLowerBound(account) };
}

export type StatsRow = ToldAccount & Beside;

export function compareRows(order: Order | undefined, left: StatsRow, right: StatsRow): number {
  const byCost = right.totalUsd - left.totalUsd || right.requests - left.requests;
  switch (order) {
    case undefined:
      return left.key < right.key ? -1 : 1;
    case "cost":
      return byCost;
    case "pauses":
      return right.pausesUsd - left.pausesUsd || byCost;
    case "requests":
      return right.requests - left.requests || byCost;
    case "newest":
      return right.lastMs - left.lastMs || byCost;
  }
}
