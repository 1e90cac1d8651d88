import { sumContextTokens, type Usage } from "../../core/usage.ts";
import { type AccountEdit, type AccountMoment, type EditAccount, priceUnits } from "./account.ts";
import { mixWriteRate, rateModel } from "./rates.ts";
import { countRecoveryUnits } from "./recovery.ts";

/** A request that was sent after edits were made. */
export interface LaterRequest {
  /** Its number in the session, from 1. */
  readonly request: number;
  readonly model: string;
  readonly usage: Usage;
  /** The window was compacted before it: what the edits took out would be gone by now anyway. */
  readonly followsCompaction?: boolean;
}

/** Somebody fetched again what an edit had removed. */
export interface Recovery {
  readonly key: string;
  /** The request that carried the answer. */
  readonly request: number;
  readonly pageTokens: number;
}

/** Units are tokens at the input price of the model that the edit was made for. */
export interface Balance {
  readonly edits: number;
  readonly predictedNetUnits: number;
  readonly realNetUnits: number;
  readonly savedUnits: number;
  readonly rewriteUnits: number;
  readonly recoveryUnits: number;
  readonly recoveries: number;
  /** `undefined` as soon as one of the models has no price. */
  readonly predictedNetUsd: number | undefined;
  readonly realNetUsd: number | undefined;
}

export interface Reconciliation {
  readonly byKind: Readonly<Record<string, Balance>>;
  readonly total: Balance;
  /** Requests since the first edit that told their usage. */
  readonly requests: number;
}

const emptyBalance: Balance = {
  edits: 0,
  predictedNetUnits: 0,
  realNetUnits: 0,
  savedUnits: 0,
  rewriteUnits: 0,
  recoveryUnits: 0,
  recoveries: 0,
  predictedNetUsd: 0,
  realNetUsd: 0,
};

/** What was expected of the edits beside what came of them. Recoveries of edits that are not in the account are passed over. */
export function reconcile(
  account: EditAccount,
  laterRequests: readonly LaterRequest[],
  recoveries: readonly Recovery[],
): Reconciliation {
  const requests = [...laterRequests].sort((left, right) => left.request - right.request);
  const byKind: Record<string, Balance> = Object.create(null);
  let total = emptyBalance;
  for (const moment of account.moments) {
    const lived = selectLived(requests, moment.request);
    const perToken = countSavedPerToken(moment, lived);
    const rewrite = countRealRewrite(moment, lived[0]);
    for (const edit of moment.edits) {
      const balance = balanceEdit({ moment, edit, lived, recoveries, perToken, rewrite });
      byKind[edit.kind] = addBalance(byKind[edit.kind] ?? emptyBalance, balance);
      total = addBalance(total, balance);
    }
  }
  const start = account.moments[0]?.request ?? Number.POSITIVE_INFINITY;
  return { byKind, total, requests: requests.filter(({ request }) => request >= start).length };
}

/** The requests from the edit to the next compaction. */
function selectLived(requests: readonly LaterRequest[], from: number): readonly LaterRequest[] {
  const after = requests.filter(({ request }) => request >= from);
  const end = after.findIndex(({ followsCompaction }, index) => index > 0 && followsCompaction === true);
  return end < 0 ? after : after.slice(0, end);
}

interface SavedPerToken {
  /** For a token that was in the cache when it was removed. */
  readonly sent: number;
  readonly fresh: number;
}

/** What one token more would have cost in all these requests: read where the request was read, written where it missed. */
function countSavedPerToken(moment: AccountMoment, lived: readonly LaterRequest[]): SavedPerToken {
  const rates = rateModel(moment.model);
  const write = mixWriteRate(rates, moment.share1h);
  let later = 0;
  for (const [index, { usage }] of lived.entries()) {
    if (index === 0) continue;
    const isMiss = usage.cacheReadTokens < sumContextTokens(usage) / 2;
    later += isMiss ? write : rates.read;
  }
  return lived.length === 0 ? { sent: 0, fresh: 0 } : { sent: rates.read + later, fresh: write + later };
}

/** What the first request wrote of what it could have read, had nothing been changed. */
function countRealRewrite(moment: AccountMoment, first: LaterRequest | undefined): number {
  const removed = moment.edits.reduce((sum, { wasSent, savedTokens }) => sum + (wasSent ? savedTokens : 0), 0);
  if (!first || removed === 0) return 0;
  const rates = rateModel(moment.model);
  const missed = Math.max(0, moment.warmTokens - removed - first.usage.cacheReadTokens);
  return missed * (mixWriteRate(rates, moment.share1h) - rates.read);
}

function balanceEdit(known: {
  readonly moment: AccountMoment;
  readonly edit: AccountEdit;
  readonly lived: readonly LaterRequest[];
  readonly recoveries: readonly Recovery[];
  readonly perToken: SavedPerToken;
  readonly rewrite: number;
}): Balance {
  const { moment, edit, perToken } = known;
  const sent = moment.edits.reduce((sum, other) => sum + (other.wasSent ? other.savedTokens : 0), 0);
  // The rewriting was one for all of them; each bears what it had of the gain.
  const part = edit.wasSent && sent > 0 ? edit.savedTokens / sent : 0;
  const savedUnits = edit.savedTokens * (edit.wasSent ? perToken.sent : perToken.fresh);
  const rewriteUnits = known.rewrite * part;
  const fetched = known.recoveries.filter(({ key, request }) => key === edit.key && request >= moment.request);
  const recoveryUnits = fetched.reduce((sum, recovery) => sum + priceRecovery(recovery, moment, known.lived), 0);
  const predictedNetUnits = edit.predictedUnits - moment.predictedRewriteUnits * part;
  const realNetUnits = savedUnits - rewriteUnits - recoveryUnits;
  return {
    edits: 1,
    predictedNetUnits,
    realNetUnits,
    savedUnits,
    rewriteUnits,
    recoveryUnits,
    recoveries: fetched.length,
    predictedNetUsd: priceUnits(predictedNetUnits, moment.model),
    realNetUsd: priceUnits(realNetUnits, moment.model),
  };
}

/** A request more, and the page carried by every request after it. */
function priceRecovery(recovery: Recovery, moment: AccountMoment, lived: readonly LaterRequest[]): number {
  const rates = rateModel(moment.model);
  const write = mixWriteRate(rates, moment.share1h);
  const at = lived.find(({ request }) => request >= recovery.request);
  const contextTokens = at ? sumContextTokens(at.usage) : moment.warmTokens;
  const carried = lived.filter(({ request }) => request > recovery.request).length;
  const { read, output } = rates;
  return (
    countRecoveryUnits(contextTokens, recovery.pageTokens, { read, write, output }) +
    carried * recovery.pageTokens * read
  );
}

function addBalance(left: Balance, right: Balance): Balance {
  const addUsd = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined || other === undefined ? undefined : one + other;
  return {
    edits: left.edits + right.edits,
    predictedNetUnits: left.predictedNetUnits + right.predictedNetUnits,
    realNetUnits: left.realNetUnits + right.realNetUnits,
    savedUnits: left.savedUnits + right.savedUnits,
    rewriteUnits: left.rewriteUnits + right.rewriteUnits,
    recoveryUnits: left.recoveryUnits + right.recoveryUnits,
    recoveries: left.recoveries + right.recoveries,
    predictedNetUsd: addUsd(left.predictedNetUsd, right.predictedNetUsd),
    realNetUsd: addUsd(left.realNetUsd, right.realNetUsd),
  };
}
