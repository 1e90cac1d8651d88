import { sumContextTokens } from "../../core/usage.ts";
import {
  type Hosts,
  hasCacheLife,
  hostOfListed,
  locateHome,
  nameClient,
  nameInstalled,
} from "../../hosts/catalogue.ts";
import type { Host } from "../../hosts/host.ts";
import type { MissedUsd } from "../../measure/cache-miss.ts";
import { describeLimits, type LimitState, type TimedSpend } from "../../measure/describe-limits.ts";
import { billRequests, isLowerBound } from "../../models/economics/bill.ts";
import type { SessionPlace } from "../../recorded/assess-session.ts";
import { type BudgetState, describeBudgets, readPlan, sumSpent } from "../../recorded/budget.ts";
import { type Calendar, createCalendar } from "../../recorded/calendar.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import type { ScannedFile } from "../../recorded/join-scans.ts";
import { type LookBack, lookBack } from "../../recorded/look-back/look-back.ts";
import { readReportedLimits } from "../../recorded/look-back/read-reported-limits.ts";
import { listOwnData } from "../../recorded/own-data.ts";
import { indexReplayed, type ReplayedSession, type Saved, sumSaved } from "../../replay/what-was-saved.ts";
import { readLastReplay } from "./read-last-replay.ts";
import { reportProposedLife } from "./report-saving.ts";

export interface LookedAround {
  /** `undefined` if no request with a time is recorded. */
  readonly look: LookBack | undefined;
  readonly saved: Saved | undefined;
  /** Whether Plimsoll can run in an agent of the last days: only then a replay has an answer. */
  readonly canSave: boolean;
  readonly isInstalled: boolean;
  /** The same by client, for clients with replayed sessions. */
  readonly savedByClient: readonly { readonly client: string; readonly saved: Saved }[];
  /** The part that `plimsoll install` would have saved: it installs into the first client only. */
  readonly savedByInstalling: Saved | undefined;
  /** What the cache life that `install` proposes would have saved, in words; `undefined` if it is set or does not pay. */
  readonly proposedLife: string | undefined;
  findReplayed(file: string): ReplayedSession | undefined;
  readonly limits: readonly LimitState[];
  readonly budgets: readonly BudgetState[];
  /** What was spent today, this week, last week and this month; empty if nothing is recorded. */
  readonly periods: readonly SpentPeriod[];
}

export interface SpentPeriod extends MissedUsd {
  readonly name: "today" | "this week" | "last week" | "this month";
  readonly requests: number;
}

const WEEK_MS = 7 * 86_400_000;

/** Combines all accounts with the last replay and with what the client has reported. */
export function lookAround(
  scanned: readonly ScannedFile[],
  place: IndexSurroundings & SessionPlace & { readonly hosts?: Hosts | undefined },
): LookedAround {
  const { environment, directory, hosts } = place;
  const nowMs = place.nowMs();
  const calendar = createCalendar(environment);
  const look = lookBack(scanned, { nowMs, calendar });
  const home = locateHome(environment, hosts);
  const last = readLastReplay(environment);
  const findReplayed = last ? indexReplayed(last) : () => undefined;
  const isRecent = new Set(look?.files);
  const canSave = scanned.some(({ file }) => isRecent.has(file.path) && !hostOfListed(file, hosts).isOnlyRead);
  const sumOf = (isCounted: (host: Host) => boolean): Saved | undefined => {
    const counted = scanned.flatMap(({ file }) => (isCounted(hostOfListed(file, hosts)) ? [file.path] : []));
    const isCountedFile = new Set(counted);
    const files = look?.files.filter((file) => isCountedFile.has(file));
    return files && sumSaved(findReplayed, files);
  };
  // The limits belong to one subscription, so other clients do not count towards them.
  const ofFirst = scanned.filter(({ file }) => file.client === undefined);
  return {
    look,
    canSave,
    isInstalled: nameInstalled({ environment, directory }) !== "nothing",
    // Nothing would have been saved in clients in which Plimsoll cannot run.
    saved: sumOf((host) => !host.isOnlyRead),
    savedByClient: (look?.clients ?? []).flatMap(({ client }) => {
      const saved = sumOf((host) => !host.isOnlyRead && host.title === client);
      return saved ? [{ client, saved }] : [];
    }),
    savedByInstalling: sumOf((host) => nameClient(host, hosts) === undefined),
    proposedLife: last?.cacheLives && !hasCacheLife(environment) ? reportProposedLife(last.cacheLives) : undefined,
    findReplayed,
    limits: describeLimits(readReportedLimits(home), listSpends(ofFirst, nowMs - 2 * WEEK_MS), nowMs),
    budgets: describeBudgets(readPlan(listOwnData(environment)).budgets, scanned, { nowMs, calendar }),
    periods: look ? listPeriods(scanned, nowMs, calendar) : [],
  };
}

function listPeriods(scanned: readonly ScannedFile[], nowMs: number, calendar: Calendar): readonly SpentPeriod[] {
  const startOf = (unit: "day" | "week" | "month", atMs = nowMs): number => calendar.spanOf(unit, atMs).fromMs;
  const week = startOf("week");
  const sum = (name: SpentPeriod["name"], fromMs: number, untilMs = nowMs + 1): SpentPeriod => {
    const isIn = ({ atMs = Number.NaN }: { readonly atMs: number | undefined }) => atMs >= fromMs && atMs < untilMs;
    const requests = scanned.reduce((count, { ownSteps }) => count + ownSteps.filter(isIn).length, 0);
    return { name, requests, ...sumSpent(scanned, fromMs, untilMs) };
  };
  const lastWeek = sum("last week", startOf("week", week - 1), week);
  return [sum("today", startOf("day")), sum("this week", week), lastWeek, sum("this month", startOf("month"))];
}

function listSpends(scanned: readonly ScannedFile[], fromMs: number): readonly TimedSpend[] {
  return scanned.flatMap(({ ownSteps }) =>
    ownSteps.flatMap((step) => {
      const { atMs, usage } = step;
      if (atMs === undefined || atMs < fromMs) return [];
      const tokens = sumContextTokens(usage) + usage.outputTokens;
      const bill = billRequests([step]);
      return [{ atMs, usd: bill.spend.totalUsd, isAtLeast: isLowerBound(bill), tokens }];
    }),
  );
}
