import { groupBy } from "../../core/group-by.ts";
import { sumMisses } from "../../measure/cache-miss.ts";
import { isLowerBound } from "../../models/economics/bill.ts";
import { PRICES_AS_OF } from "../../models/model-table.ts";
import { type Injected, priceInjection, totalInjections } from "../../policy/injection/price-injections.ts";
import { accountFor, type RecordedAccount, sumAccounts } from "../../recorded/accounts.ts";
import { mergeRepeated } from "../../recorded/audit/find-repeated-injections.ts";
import type { Calendar } from "../../recorded/calendar.ts";
import type { ScannedFile } from "../../recorded/join-scans.ts";
import { selectSpent } from "../../recorded/look-back/look-back.ts";
import { mergeBins } from "../../replay/bins.ts";
import { listInjectedRequests } from "../cli/injections.ts";
import { type Period, selectPeriod } from "../cli/parse-period.ts";
import { capitalise, labelCause } from "../person/labels.ts";
import { type CloseLook, countAll, quantileOf } from "./close-look.ts";
import type { DayRange } from "./question.ts";
import type { AccountRow, SpendReport, ToolResults } from "./wire.ts";

/** A session with everything known of it; the close look may still be missing on a first start. */
export interface KnownSession {
  readonly scanned: ScannedFile;
  /** The client's title. */
  readonly host: string;
  /** The id that every command takes. */
  readonly id: string;
  readonly look: CloseLook | undefined;
  /** What Plimsoll added to it; reads its journals. */
  injected(): readonly Injected[];
}

const MOST_REPEATED = 25;

export function describeSpend(known: readonly KnownSession[], { calendar, range, nowMs }: SpendOptions): SpendReport {
  const period = range && readPeriod(range, calendar, nowMs);
  const sessions = known.flatMap((session) =>
    selectPeriod([session.scanned], period).map((scanned) => ({
      ...session,
      scanned,
      compactions: session.scanned.compactions,
    })),
  );
  const scanned = sessions.map((session) => session.scanned);
  const cells = sessions.flatMap((session) => listCells(session, calendar));
  const sumBy = (keyOf: (cell: Cell) => string): AccountRow[] =>
    [...groupBy(cells, keyOf)].map(([key, some]) =>
      describeAccount(key, sumAccounts(some.map(({ account }) => account))),
    );
  const byHost = sumBy(({ session }) => session.host);
  const misses = scanned.flatMap((file) => selectSpent(file).misses);
  const priced = sessions.flatMap(({ scanned: { steps }, compactions, injected }) => {
    const added = injected();
    if (added.length === 0) return [];
    const requests = listInjectedRequests({ steps, compactions });
    return added.map((one) => priceInjection(one, requests));
  });
  return {
    pricesAsOf: PRICES_AS_OF,
    total: describeAccount("total", sumAccounts(cells.map(({ account }) => account))),
    byDay: fillDays(
      sumBy(({ day }) => day).sort(byKey),
      period ?? { fromMs: Number.NEGATIVE_INFINITY, untilMs: nowMs + 1 },
      calendar,
    ),
    byProject: sumBy(({ session }) => nameProject(session.scanned)).sort(byDollars),
    byModel: sumBy(({ model }) => model).sort(byDollars),
    byHost: byHost.length > 1 ? byHost.sort(byDollars) : [],
    misses: sumMisses(misses).map((total) => ({ ...total, cause: capitalise(labelCause(total.cause)) })),
    repeated: mergeRepeated(sessions.map(({ look }) => look?.repeated ?? [])).slice(0, MOST_REPEATED),
    injections: totalInjections(priced),
    results: describeResults(sessions.flatMap(({ look }) => (look ? [look] : []))),
  };
}

/** The cost of one file on one day for one model. Every table here is a sum of these, so each request is priced once. */
interface Cell {
  readonly session: KnownSession;
  /** In the person's time zone. */
  readonly day: string;
  readonly model: string;
  readonly account: RecordedAccount;
}

function listCells(session: KnownSession, calendar: Calendar): readonly Cell[] {
  const days = groupBy(session.scanned.ownSteps, ({ atMs }) => (atMs === undefined ? UNDATED : calendar.nameDay(atMs)));
  return [...days].flatMap(([day, steps]) =>
    [...groupBy(steps, (step) => step.model || "unknown")].map(([model, some]) => {
      return { session, day, model, account: accountFor(some) };
    }),
  );
}

const UNDATED = "undated";
/** Ten years: an older day comes from a wrong clock. */
const MOST_FILLED_DAYS = 3660;

/** Adds a row for every day of the period without work; for all time from the first day with work. */
function fillDays(rows: readonly AccountRow[], period: Period, calendar: Calendar): readonly AccountRow[] {
  const dated = new Map(rows.filter(({ key }) => key !== UNDATED).map((row) => [row.key, row]));
  const [first = ""] = dated.keys();
  const firstMs = Number.isFinite(period.fromMs) ? period.fromMs : calendar.startOfDay(first);
  const lastDay = calendar.nameDay(period.untilMs - 1);
  if (firstMs === undefined) return rows;
  const filled: AccountRow[] = [];
  for (let atMs = firstMs; filled.length <= MOST_FILLED_DAYS; atMs = calendar.shiftDay(atMs, 1)) {
    const day = calendar.nameDay(atMs);
    if (day > lastDay) return [...filled, ...rows.filter(({ key }) => key === UNDATED || key > lastDay)];
    filled.push(dated.get(day) ?? describeAccount(day, sumAccounts([])));
  }
  return rows;
}

interface SpendOptions {
  readonly calendar: Calendar;
  /** All time if `undefined`. */
  readonly range: DayRange | undefined;
  readonly nowMs: number;
}

/** Future days get no row. */
function readPeriod({ last, from, to }: DayRange, calendar: Calendar, nowMs: number): Period {
  const untilMs = nowMs + 1;
  if (last !== undefined) return { fromMs: calendar.shiftDay(nowMs, 1 - Math.max(1, last)), untilMs };
  const lastMs = to === undefined ? undefined : calendar.startOfDay(to);
  return {
    fromMs: (from === undefined ? undefined : calendar.startOfDay(from)) ?? Number.NEGATIVE_INFINITY,
    untilMs: lastMs === undefined ? untilMs : Math.min(untilMs, calendar.shiftDay(lastMs, 1)),
  };
}

function describeAccount(key: string, { spend, ...account }: RecordedAccount): AccountRow {
  return { key, ...account, ...spend, isAtLeast: isLowerBound(account) };
}

function byKey(left: AccountRow, right: AccountRow): number {
  return left.key < right.key ? -1 : 1;
}

function byDollars(left: AccountRow, right: AccountRow): number {
  return right.totalUsd - left.totalUsd || right.requests - left.requests;
}

function describeResults(looks: readonly CloseLook[]): readonly ToolResults[] {
  const results = looks.flatMap((look) => Object.entries(look.results));
  return [...groupBy(results, ([tool]) => tool)]
    .map(([tool, all]) => {
      const sizes = mergeBins(all.map(([, one]) => one.sizes));
      return {
        tool,
        count: countAll(sizes),
        totalTokens: all.reduce((sum, [, { totalTokens }]) => sum + totalTokens, 0),
        medianTokens: Math.round(quantileOf(sizes, 0.5)),
        largestTokens: Math.round(quantileOf(sizes, 1)),
      };
    })
    .sort((left, right) => right.totalTokens - left.totalTokens);
}

/** The project, followed by the client if it is not the usual one. */
function nameProject({ project, file: { client } }: ScannedFile): string {
  return client === undefined ? project : `${project} · ${client}`;
}
