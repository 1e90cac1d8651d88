import { groupBy } from "../../core/group-by.ts";
import { sumMisses } from "../../measure/cache-miss.ts";
import { isLowerBound } from "../../models/economics/bill.ts";
import { PRICES_AS_OF } from "../../models/model-table.ts";
import { priceInjection, totalInjections } from "../../policy/injection/price-injections.ts";
import { accountFor, type RecordedAccount, sumAccounts } from "../../recorded/accounts.ts";
import { mergeRepeated } from "../../recorded/audit/find-repeated-injections.ts";
import type { Calendar } from "../../recorded/calendar.ts";
import { type Period, type ScannedFile, selectPeriod } from "../../recorded/join-scans.ts";
import { selectSpent } from "../../recorded/look-back/look-back.ts";
import { listInjectedRequests } from "../../recorded/read-actions.ts";
import { mergeBins } from "../../replay/bins.ts";
import { capitalise, labelCause } from "../person/labels.ts";
import { type KnownSession, nameKey } from "./catalogue.ts";
import { type CloseLook, countAll, quantileOf } from "./close-look.ts";
import { nameTitle } from "./describe-head.ts";
import type { DayRange } from "./question.ts";
import type { AccountRow, SessionSpend, SpendReport, ToolResults } from "./wire.ts";

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
  const byDay = fillDays(
    sumBy(({ day }) => day).sort((left, right) => (left.key < right.key ? -1 : 1)),
    period ?? { fromMs: Number.NEGATIVE_INFINITY, untilMs: nowMs + 1 },
    calendar,
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
    byDay,
    byWeek: sumWeeks(byDay, cells, calendar),
    bySession: listSessions(cells),
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

/** Every week of the filled days, those without work included. */
function sumWeeks(days: readonly AccountRow[], cells: readonly Cell[], calendar: Calendar): readonly AccountRow[] {
  const nameWeek = (day: string): string => calendar.nameWeek(calendar.startOfDay(day) ?? 0);
  const dated = days.filter(({ key }) => key !== UNDATED);
  const weekOf = new Map(dated.map(({ key }) => [key, nameWeek(key)]));
  const byWeek = groupBy(cells, ({ day }) => weekOf.get(day) ?? UNDATED);
  return [...new Set(weekOf.values())].map((week) =>
    describeAccount(week, sumAccounts((byWeek.get(week) ?? []).map(({ account }) => account))),
  );
}

const MOST_SESSIONS = 50;

function listSessions(cells: readonly Cell[]): readonly SessionSpend[] {
  const groups = groupBy(cells, ({ session: { scanned } }) => scanned.sessionId || scanned.file.path);
  return [...groups]
    .map(([key, some]): SessionSpend => {
      const { scanned, id } = (some.find(({ session }) => !session.scanned.file.isSubagent) ?? some[0])?.session ?? {};
      return {
        ...describeAccount(key, sumAccounts(some.map(({ account }) => account))),
        session: scanned && scanned.keptOf === undefined ? nameKey(scanned.file.path) : undefined,
        title: nameTitle(scanned?.title ?? "", id ?? key),
      };
    })
    .sort(byDollars)
    .slice(0, MOST_SESSIONS);
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
