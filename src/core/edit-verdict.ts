import type { Edit } from "./edit.ts";
import type { View } from "./layer.ts";
import type { Message } from "./message.ts";

/**
 * When edits are weighed. `birth`: only what was never sent may change. `boundary`: a piece of work is done or the person has
 * spoken. `midTurn`: in the middle of one. `cold`: the cache is known to be gone, whatever the state says.
 */
export type EditMoment = "birth" | "boundary" | "midTurn" | "cold";

export type VerdictReason =
  /** Made: never sent, so nothing is written again. */
  | "atBirth"
  /** Made: the cache is cold, so everything is written again anyway. */
  | "cold"
  /** Made: an edit in front of it was made for this request already and pays for writing this again too. */
  | "ridesAlong"
  /** Made: what it saves pays for the rewriting. */
  | "pays"
  /** Made: somebody else's verdict was no, but the conversation must fit. */
  | "mustFit"
  | "savesNothing"
  /** Declined: fetching it again is expected to cost more than it saves. */
  | "neededAgain"
  | "doesNotPay"
  /** Declined: it pays, but not by the margin asked for. */
  | "withinMargin"
  /** Declined: it pays, but less is cleared than is asked for at the least. */
  | "tooLittle"
  /** Declined: only what was never sent may change at this moment. */
  | "alreadySent";

/** Units are tokens at the input price; dollars are `undefined` for a model without a price. */
export interface EditPrice {
  readonly savedTokens: number;
  /** Tokens that stay and must be written again. */
  readonly rewrittenTokens: number;
  readonly savedUnitsPerRequest: number;
  readonly rewriteUnits: number;
  readonly recoveryUnits: number;
  readonly expectedNetUnits: number;
  readonly savedUsdPerRequest: number | undefined;
  readonly rewriteUsd: number | undefined;
  readonly recoveryUsd: number | undefined;
  readonly expectedNetUsd: number | undefined;
  /** Requests after which it has paid for itself; infinity where it never does. */
  readonly breakEvenRequests: number;
  /** Nothing has to be written again for it. */
  readonly isFree: boolean;
}

/** Whether an edit is made, and what that rests on. Plain data. */
export interface EditVerdict {
  readonly isMade: boolean;
  readonly why: VerdictReason;
  /** Requests still expected, this one included. */
  readonly expectedRequests: number;
  /** Made: its part, the rewriting being paid by its set. Declined: what it would cost and save alone. */
  readonly price: EditPrice;
  /** The edits it would share one rewriting with: those made, or those that could have been. */
  readonly set?: { readonly edits: number; readonly price: EditPrice };
}

/**
 * Whether a layer's edits are worth their price, one verdict for each, in their order. The pipeline makes those that are
 * and reports the rest. `replayed` is the conversation as it stood before any layer was asked: as far as the view still equals
 * it, it can still be read from the cache.
 */
export type Pricer = (
  edits: readonly Edit[],
  view: View,
  occasion: { readonly isEager: boolean; readonly replayed: readonly Message[] },
) => readonly EditVerdict[];
