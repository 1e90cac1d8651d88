import type { Edit } from "./edit.ts";
import type { View } from "./layer.ts";
import type { Message } from "./message.ts";

export type VerdictReason =
  /** Made: never sent before, so nothing has to be rewritten. */
  | "atBirth"
  /** Made: the cache is cold, so everything is rewritten anyway. */
  | "cold"
  /** Made: an earlier edit in this request already pays for rewriting this part. */
  | "ridesAlong"
  /** Made: the saving pays for the rewriting. */
  | "pays"
  /** Made: the pricer declined it, but the conversation must fit. */
  | "mustFit"
  | "savesNothing"
  /** Declined: fetching it again is expected to cost more than it saves. */
  | "neededAgain"
  | "doesNotPay"
  /** Declined: it pays, but clears less than the required minimum. */
  | "tooLittle";

/** In tokens at the input price; dollars are `undefined` for a model without a price. */
export interface EditPrice {
  readonly savedTokens: number;
  /** Tokens that stay but must be written again. */
  readonly rewrittenTokens: number;
  readonly savedUnitsPerRequest: number;
  readonly rewriteUnits: number;
  readonly recoveryUnits: number;
  readonly expectedNetUnits: number;
  readonly savedUsdPerRequest: number | undefined;
  readonly rewriteUsd: number | undefined;
  readonly recoveryUsd: number | undefined;
  readonly expectedNetUsd: number | undefined;
  /** Requests until it has paid for itself; infinity if it never does. */
  readonly breakEvenRequests: number;
  readonly isFree: boolean;
}

export interface EditVerdict {
  readonly isMade: boolean;
  readonly why: VerdictReason;
  /** Requests still expected, this one included. */
  readonly expectedRequests: number;
  /** If made: its share, with the rewriting paid by its set. If declined: what it would cost and save alone. */
  readonly price: EditPrice;
  /** The edits that share one rewriting with it: those made, or those that could have been. */
  readonly set?: { readonly edits: number; readonly price: EditPrice };
}

/**
 * Decides whether a layer's edits are worth their price, one verdict per edit, in order. The pipeline makes those that are and reports the
 * rest. `replayed` is the conversation before any layer ran: the part of the view that still equals it can be read from the cache.
 */
export type Pricer = (
  edits: readonly Edit[],
  view: View,
  occasion: { readonly isEager: boolean; readonly replayed: readonly Message[] },
) => readonly EditVerdict[];
