import type { EditPrice } from "../../core/edit-verdict.ts";
import type { Usage } from "../../core/usage.ts";
import { type CachedPrefix, countResumedTokens } from "./cache-state.ts";
import { mixWriteRate, rateModel } from "./rates.ts";
import { countRecoveryUnits, RECOVERY_SHARES, type RemovedContent } from "./recovery.ts";

/** What pricing needs to know about an edit. Edits of one set must not overlap. */
export interface SizedEdit {
  /** Tokens before the first block it changes, from the beginning of the request. */
  readonly positionTokens: number;
  readonly savedTokens: number;
  readonly content?: RemovedContent;
  /** How likely the content is fetched again; by default it depends on the kind of content. */
  readonly recoveryShare?: number;
  /** Requests sent since it could first have been made; used if no number of requests is expected. */
  readonly waitedRequests?: number;
}

export interface EditTerms {
  readonly model: string;
  readonly contextTokens: number;
  readonly prefix: CachedPrefix;
  /** Share of the cache writes with the long lifetime. */
  readonly share1h: number;
  /** As the last request was served: fast mode has its own price. */
  readonly speed?: Usage["speed"] | undefined;
  /** Size of the view when something is fetched back; the current size by default. */
  readonly recoveryContextTokens?: number;
  /** Requests still to come, this one included. If unknown: as many again as have waited (`docs/research/economics.md`, the bound). */
  readonly expectedRequests: number | undefined;
}

/** The prices of one request, computed once for all edits it is offered. */
export interface EditScale {
  readonly prefix: CachedPrefix;
  readonly read: number;
  readonly write: number;
  readonly usdPerUnit: number | undefined;
  /** What carrying the edit's tokens through all expected requests would cost if they were all written now. */
  worth(edit: SizedEdit): number;
  recovery(edit: SizedEdit): number;
  expected(edit: SizedEdit): number;
}

/** Stands for "for ever" as a finite number. */
const MOST_REQUESTS = 1_000_000;

export function createEditScale(terms: EditTerms): EditScale {
  const rates = rateModel(terms.model, terms.contextTokens, terms.speed);
  const write = mixWriteRate(rates, terms.share1h);
  const { read, output, usdPerUnit } = rates;
  // At least the request about to be made.
  const expected = (edit: SizedEdit): number =>
    Math.min(MOST_REQUESTS, Math.max(1, terms.expectedRequests ?? countOf(edit.waitedRequests ?? 0) + 1));
  const recovery = (edit: SizedEdit): number => {
    const share = edit.recoveryShare ?? RECOVERY_SHARES[edit.content ?? "result"];
    const contextTokens = terms.recoveryContextTokens ?? terms.contextTokens;
    return share <= 0 ? 0 : share * countRecoveryUnits(contextTokens, edit.savedTokens, { read, write, output });
  };
  return {
    prefix: terms.prefix,
    read,
    write,
    usdPerUnit,
    expected,
    recovery,
    worth: (edit) => countOf(edit.savedTokens) * (write + read * (expected(edit) - 1)),
  };
}

/** The price of edits made at the same moment: everything after the first of them is rewritten once. */
export function priceEdits(edits: readonly SizedEdit[], terms: EditTerms): EditPrice {
  return priceOnScale(edits, createEditScale(terms));
}

/** `isRewritePaid`: another edit before these pays for the rewriting. */
export function priceOnScale(
  edits: readonly SizedEdit[],
  scale: EditScale,
  { isRewritePaid }: { readonly isRewritePaid: boolean } = { isRewritePaid: false },
): EditPrice {
  const { prefix } = scale;
  let first = Number.POSITIVE_INFINITY;
  let savedTokens = 0;
  let savedCachedTokens = 0;
  let gain = 0;
  let recoveryUnits = 0;
  for (const edit of edits) {
    const saved = countOf(edit.savedTokens);
    if (saved === 0) continue;
    const position = countOf(edit.positionTokens);
    const cached = Math.min(saved, Math.max(0, prefix.warmTokens - position));
    first = Math.min(first, position);
    savedTokens += saved;
    savedCachedTokens += cached;
    // This request would have read what was cached and written the rest.
    gain += scale.worth(edit) - cached * (scale.write - scale.read);
    recoveryUnits += scale.recovery(edit);
  }
  const lost = prefix.warmTokens - countResumedTokens(prefix, first);
  const rewrittenTokens = isRewritePaid ? 0 : Math.max(0, lost - savedCachedTokens);
  const rewriteUnits = rewrittenTokens * (scale.write - scale.read);
  const atOnce = savedCachedTokens * scale.read + (savedTokens - savedCachedTokens) * scale.write;
  const savedUnitsPerRequest = savedTokens * scale.read;
  const cost = rewriteUnits + recoveryUnits;
  const toUsd = (units: number): number | undefined =>
    scale.usdPerUnit === undefined ? undefined : units * scale.usdPerUnit;
  return {
    savedTokens,
    rewrittenTokens,
    savedUnitsPerRequest,
    rewriteUnits,
    recoveryUnits,
    expectedNetUnits: gain - cost,
    savedUsdPerRequest: toUsd(savedUnitsPerRequest),
    rewriteUsd: toUsd(rewriteUnits),
    recoveryUsd: toUsd(recoveryUnits),
    expectedNetUsd: toUsd(gain - cost),
    breakEvenRequests: breakEven(cost, atOnce, savedUnitsPerRequest),
    isFree: rewrittenTokens === 0,
  };
}

function breakEven(cost: number, atOnce: number, perRequest: number): number {
  if (cost <= 0) return 0;
  if (perRequest <= 0) return Number.POSITIVE_INFINITY;
  return cost <= atOnce ? cost / atOnce : 1 + (cost - atOnce) / perRequest;
}

/** Sizes come from estimates; anything that is not a size counts as 0. */
function countOf(tokens: number): number {
  return tokens > 0 && Number.isFinite(tokens) ? tokens : 0;
}
