import type { TranscriptFile } from "../../hosts/host.ts";
import type { StepUsage } from "../../hosts/usage.ts";
import { sumMisses } from "../../measure/cache-miss.ts";
import { isLowerBound } from "../../models/economics/bill.ts";
import { PRICES_AS_OF } from "../../models/model-table.ts";
import { priceInjection, totalInjections } from "../../policy/injection/price-injections.ts";
import { joinAccounts, keepAccounts, type RecordedAccount, sumAccounts } from "../../recorded/accounts.ts";
import { mergeRepeated } from "../../recorded/audit/find-repeated-injections.ts";
import type { ScannedFile } from "../../recorded/join-scans.ts";
import { selectSpent } from "../../recorded/look-back/look-back.ts";
import { CAUSES } from "./causes.ts";
import type { CloseLook, ResultSizes } from "./close-look.ts";
import { countAll, joinHistograms, quantileOf } from "./histogram.ts";
import type { JournalLook } from "./journals.ts";
import type { AccountRow, SpendView, ToolResults } from "./wire.ts";

/** A session over all that is known of it; the looks may still be missing on a first start. */
export interface KnownSession {
  readonly scanned: ScannedFile;
  /** As people call the client. */
  readonly host: string;
  /** As every command takes it. */
  readonly id: string;
  readonly look: CloseLook | undefined;
  readonly journal: JournalLook;
}

const MOST_REPEATED = 25;

/** Where the dollars went. */
export function describeSpend(sessions: readonly KnownSession[]): SpendView {
  const scanned = sessions.map((session) => session.scanned);
  const cells = sessions.flatMap(listCells);
  const sumBy = (keyOf: (cell: Cell) => string): AccountRow[] =>
    [...joinAccounts(cells.map((cell) => [keyOf(cell), cell.account]))].map(([key, one]) => describeAccount(key, one));
  const byHost = sumBy(({ session }) => session.host);
  const misses = scanned.flatMap((file) => selectSpent(file).misses);
  const priced = sessions.flatMap(({ scanned: { steps }, look, journal }) => {
    if (journal.injected.length === 0) return [];
    const requests = steps.flatMap(({ atMs, model, isSidechain }) =>
      atMs === undefined || isSidechain ? [] : [{ atMs, model }],
    );
    return journal.injected.map((one) => priceInjection(one, { requests, compactionsMs: look?.compactionsMs ?? [] }));
  });
  return {
    pricesAsOf: PRICES_AS_OF,
    total: describeAccount("total", sumAccounts(cells.map(({ account }) => account))),
    byDay: sumBy(({ day }) => nameDay(day)).sort(byKey),
    byProject: sumBy(({ session }) => nameProject(session.scanned.file)).sort(byDollars),
    byModel: sumBy(({ model }) => model).sort(byDollars),
    byHost: byHost.length > 1 ? byHost.sort(byDollars) : [],
    misses: sumMisses(misses).map((total) => ({ ...total, cause: CAUSES[total.cause] })),
    repeated: mergeRepeated(sessions.map(({ look }) => look?.repeated ?? [])).slice(0, MOST_REPEATED),
    injections: totalInjections(priced),
    results: describeResults(sessions.flatMap(({ look }) => (look ? [look] : []))),
  };
}

/** What one file was billed on one day for one model: every table here is a sum of these, and each request is priced once. */
interface Cell {
  readonly session: KnownSession;
  /** Since 1970, of UTC. */
  readonly day: number | undefined;
  readonly model: string;
  readonly account: RecordedAccount;
}

const DAY_MS = 86_400_000;

function listCells(session: KnownSession): readonly Cell[] {
  const days = new Map<number | undefined, StepUsage[]>();
  for (const step of session.scanned.ownSteps) {
    const day = step.atMs === undefined ? undefined : Math.floor(step.atMs / DAY_MS);
    const known = days.get(day);
    if (known) known.push(step);
    else days.set(day, [step]);
  }
  return [...days].flatMap(([day, steps]) =>
    [...keepAccounts(steps.map((step) => [step.model || "unknown", step]))].map(([model, account]) => ({
      session,
      day,
      model,
      account,
    })),
  );
}

function nameDay(day: number | undefined): string {
  return day === undefined ? "undated" : new Date(day * DAY_MS).toISOString().slice(0, 10);
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

/** How much each tool has put into windows, the heaviest first. */
function describeResults(looks: readonly CloseLook[]): readonly ToolResults[] {
  const byTool = new Map<string, ResultSizes[]>();
  for (const { results } of looks)
    for (const [tool, sizes] of Object.entries(results)) byTool.set(tool, [...(byTool.get(tool) ?? []), sizes]);
  return [...byTool]
    .map(([tool, all]): ToolResults => {
      const sizes = joinHistograms(all.map((one) => one.sizes));
      return {
        tool,
        count: countAll(sizes),
        totalTokens: all.reduce((sum, { totalTokens }) => sum + totalTokens, 0),
        medianTokens: Math.round(quantileOf(sizes, 0.5)),
        largestTokens: Math.round(quantileOf(sizes, 1)),
      };
    })
    .sort((left, right) => right.totalTokens - left.totalTokens);
}

/** The project, with the client beside it where it is not the usual one. */
function nameProject({ project, client }: TranscriptFile): string {
  return client === undefined ? project : `${project} · ${client}`;
}
