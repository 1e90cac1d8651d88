import type { EditPrice } from "../../core/edit-verdict.ts";
import type { PricedEdit } from "../../core/report.ts";
import { rateModel } from "./rates.ts";
import { keyOfEdit } from "./waiting.ts";

/**
 * The edits that were made, with what they were expected to save, to be compared later with what the requests after them really
 * carried and cost (`reconcile.ts`). Plain data: it survives `JSON.stringify`.
 */
export interface EditAccount {
  readonly moments: readonly AccountMoment[];
}

/** Edits made before the same request: they share one rewriting. */
export interface AccountMoment {
  /** Number of the first request that was sent with them, from 1. */
  readonly request: number;
  readonly model: string;
  /** What the cache could have given that request, had nothing been changed; 0 when it was cold. */
  readonly warmTokens: number;
  readonly share1h: number;
  readonly predictedRewriteUnits: number;
  readonly edits: readonly AccountEdit[];
}

export interface AccountEdit {
  readonly key: string;
  /** The layer that proposed it. */
  readonly kind: string;
  readonly savedTokens: number;
  /** Whether it lay in what was sent before: only such edits make anybody write again. */
  readonly wasSent: boolean;
  /** Expected over all requests to come, fetching again deducted, the shared rewriting not. */
  readonly predictedUnits: number;
}

export const emptyAccount: EditAccount = { moments: [] };

export type AccountOccasion = Pick<AccountMoment, "request" | "model" | "warmTokens" | "share1h">;

/** Puts down what was made; the identical account when nothing was. */
export function recordMade(
  account: EditAccount,
  priced: readonly PricedEdit[],
  occasion: AccountOccasion,
): EditAccount {
  const made = priced.filter(({ verdict }) => verdict.isMade);
  if (made.length === 0) return account;
  const { request, model, warmTokens, share1h } = occasion;
  const edits = made.map(({ edit, verdict }): AccountEdit => {
    const { price, why } = verdict;
    return {
      key: keyOfEdit(edit),
      kind: edit.by,
      savedTokens: price.savedTokens,
      wasSent: why !== "atBirth" && why !== "cold",
      predictedUnits: price.expectedNetUnits + price.rewriteUnits,
    };
  });
  return {
    moments: [
      ...account.moments,
      { request, model, warmTokens, share1h, edits, predictedRewriteUnits: sumRewrites(made) },
    ],
  };
}

/** Each set pays once. What was made against its price pays from the earliest of it on. */
function sumRewrites(made: readonly PricedEdit[]): number {
  const sets = new Set<EditPrice>();
  let forced = 0;
  for (const { verdict } of made) {
    if (verdict.why === "mustFit") forced = Math.max(forced, verdict.price.rewriteUnits);
    else if (verdict.set) sets.add(verdict.set.price);
  }
  const paid = [...sets].reduce((sum, { rewriteUnits }) => sum + rewriteUnits, 0);
  return Math.max(paid, forced);
}

/** Units in dollars, at the price of the model; `undefined` where it has none. */
export function priceUnits(units: number, model: string): number | undefined {
  const { usdPerUnit } = rateModel(model);
  return usdPerUnit === undefined ? undefined : units * usdPerUnit;
}
