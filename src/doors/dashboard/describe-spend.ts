import type { StepUsage } from "../../hosts/usage.ts";
import { sumMisses } from "../../measure/cache-miss.ts";
import { isAtLeast } from "../../models/economics/bill.ts";
import { PRICES_AS_OF } from "../../models/model-table.ts";
import { priceInjection, totalInjections } from "../../policy/injection/price-injections.ts";
import { type Account, keepAccounts, sumAccounts } from "../../recorded/accounts.ts";
import { mergeRepeated } from "../../recorded/audit/find-repeated-injections.ts";
import type { ScannedFile } from "../../recorded/join-scans.ts";
import { selectSpent } from "../../recorded/look-back/look-back.ts";
import { CAUSES } from "./causes.ts";
import type { CloseLook } from "./close-look.ts";
import { describeResults } from "./describe-results.ts";
import type { JournalLook } from "./journal-look.ts";
import { nameProject } from "./name-project.ts";
import type { AccountRow, SpendView } from "./wire.ts";

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
  const byModel = keepAccounts(listSteps(scanned, (_, step) => step.model || "unknown"));
  const hosts = new Map(sessions.map((session) => [session.scanned.file.path, session.host]));
  const byHost = keepAccounts(listSteps(scanned, ({ file }) => hosts.get(file.path) ?? ""));
  const misses = scanned.flatMap((file) => selectSpent(file).misses);
  const priced = sessions.flatMap(({ scanned: { steps }, look, journal }) => {
    const requests = steps.flatMap(({ atMs, model, isSidechain }) =>
      atMs === undefined || isSidechain ? [] : [{ atMs, model }],
    );
    return journal.injected.map((one) => priceInjection(one, { requests, compactionsMs: look?.compactionsMs ?? [] }));
  });
  return {
    pricesAsOf: PRICES_AS_OF,
    total: describeAccount("total", sumAccounts(byModel.values())),
    byDay: toRows(keepAccounts(listSteps(scanned, (_, { atMs }) => nameDay(atMs)))).sort(byKey),
    byProject: toRows(keepAccounts(listSteps(scanned, ({ file }) => nameProject(file)))).sort(byDollars),
    byModel: toRows(byModel).sort(byDollars),
    byHost: byHost.size > 1 ? toRows(byHost).sort(byDollars) : [],
    misses: sumMisses(misses).map((total) => ({ ...total, cause: CAUSES[total.cause] })),
    repeated: mergeRepeated(sessions.map(({ look }) => look?.repeated ?? [])).slice(0, MOST_REPEATED),
    injections: totalInjections(priced),
    results: describeResults(sessions.flatMap(({ look }) => (look ? [look] : []))),
  };
}

function* listSteps(
  scanned: readonly ScannedFile[],
  keyOf: (file: ScannedFile, step: StepUsage) => string,
): Generator<readonly [string, StepUsage]> {
  for (const file of scanned) for (const step of file.ownSteps) yield [keyOf(file, step), step];
}

function nameDay(atMs: number | undefined): string {
  return atMs === undefined ? "undated" : new Date(atMs).toISOString().slice(0, 10);
}

function toRows(accounts: ReadonlyMap<string, Account>): AccountRow[] {
  return [...accounts].map(([key, account]) => describeAccount(key, account));
}

function describeAccount(key: string, { spend, ...account }: Account): AccountRow {
  return { key, ...account, ...spend, isAtLeast: isAtLeast(account) };
}

function byKey(left: AccountRow, right: AccountRow): number {
  return left.key < right.key ? -1 : 1;
}

function byDollars(left: AccountRow, right: AccountRow): number {
  return right.totalUsd - left.totalUsd || right.requests - left.requests;
}
