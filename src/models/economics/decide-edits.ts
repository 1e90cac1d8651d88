import type { EditVerdict, VerdictReason } from "../../core/edit-verdict.ts";
import { requireAtLeast } from "../../core/require-option.ts";
import { countResumedTokens } from "./cache-state.ts";
import { createEditScale, type EditScale, type EditTerms, priceOnScale, type SizedEdit } from "./price-edit.ts";

export interface DecideOptions extends EditTerms {
  /** A rewriting must clear at least this many tokens; 0 by default. Edits without rewriting are exempt. */
  readonly clearAtLeastTokens?: number;
  /** What could have been read before other edits were made for this request; `prefix.warmTokens` by default. */
  readonly sentTokens?: number;
}

/** A set of edits that share one rewriting: the first `count` in walking order. */
interface Suffix {
  readonly count: number;
  readonly netUnits: number;
}

/**
 * Decides which proposed edits to make now, one verdict each, in order. What was never sent is free. Of the rest: once the rewriting from
 * some position is paid, everything after it is free to edit too, so the best set is all worthwhile edits after the best position. One walk
 * from the end finds it (linear, after sorting if the proposals are out of order).
 */
export function decideEdits(proposals: readonly SizedEdit[], options: DecideOptions): readonly EditVerdict[] {
  requireAtLeast(0, "clearAtLeastTokens", options.clearAtLeastTokens);
  requireAtLeast(0, "expectedRequests", options.expectedRequests);
  const { warmTokens } = options.prefix;
  const { sentTokens = warmTokens } = options;
  const scale = createEditScale(options);
  const isFresh = (edit: SizedEdit): boolean => !(edit.positionTokens < warmTokens);
  const isWorthwhile = (edit: SizedEdit): boolean => edit.savedTokens > 0 && scale.worth(edit) > scale.recovery(edit);
  // From the end of the conversation to its beginning; equals keep their order.
  const walked = proposals
    .filter((edit) => !isFresh(edit) && isWorthwhile(edit))
    .reverse()
    .sort((left, right) => right.positionTokens - left.positionTokens);
  const { chosen, best } = chooseSuffix(walked, options.clearAtLeastTokens ?? 0, scale);
  const made = new Set(walked.slice(0, chosen?.count ?? 0));
  // If nothing pays, the set of all edits explains it best.
  const nearest = chosen ?? (best && best.netUnits >= 0 ? best : undefined);
  const shown = new Set(walked.slice(0, nearest?.count));
  const set = shown.size > 0 ? { edits: shown.size, price: priceOnScale([...shown], scale) } : undefined;

  const decideReason = (edit: SizedEdit): VerdictReason => {
    if (!(edit.savedTokens > 0)) return "savesNothing";
    if (!isWorthwhile(edit)) return "neededAgain";
    if (made.has(edit)) return "pays";
    if (!isFresh(edit)) return chosen === nearest ? "doesNotPay" : "tooLittle";
    if (edit.positionTokens < sentTokens) return "ridesAlong";
    return sentTokens === 0 ? "cold" : "atBirth";
  };
  return proposals.map((edit) => {
    const isMade = made.has(edit) || (isFresh(edit) && isWorthwhile(edit));
    const price = priceOnScale([edit], scale, { isRewritePaid: isMade });
    const isShared = set !== undefined && shown.has(edit);
    const why = decideReason(edit);
    return { isMade, why, expectedRequests: scale.expected(edit), price, ...(isShared ? { set } : {}) };
  });
}

/** `chosen`: the best suffix that clears enough. `best`: the best of all, to explain why none was chosen. */
function chooseSuffix(
  walked: readonly SizedEdit[],
  clearAtLeastTokens: number,
  { prefix, write, read, worth, recovery }: EditScale,
): { readonly chosen: Suffix | undefined; readonly best: Suffix | undefined } {
  let worthUnits = 0;
  let recoveryUnits = 0;
  let cleared = 0;
  let chosen: Suffix | undefined;
  let best: Suffix | undefined;
  for (const [index, edit] of walked.entries()) {
    worthUnits += worth(edit);
    recoveryUnits += recovery(edit);
    cleared += edit.savedTokens;
    const lost = prefix.warmTokens - countResumedTokens(prefix, edit.positionTokens);
    const netUnits = worthUnits - recoveryUnits - lost * (write - read);
    const suffix = { count: index + 1, netUnits };
    if (cleared >= clearAtLeastTokens && netUnits >= 0 && (!chosen || netUnits > chosen.netUnits)) chosen = suffix;
    if (!best || netUnits > best.netUnits) best = suffix;
  }
  return { chosen, best };
}
