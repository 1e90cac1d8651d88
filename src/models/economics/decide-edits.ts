import type { EditMoment, EditVerdict, VerdictReason } from "../../core/edit-verdict.ts";
import { requireAtLeast } from "../../core/require-option.ts";
import { countResumedTokens } from "./cache-state.ts";
import { createEditScale, type EditScale, type EditTerms, priceOnScale, type SizedEdit } from "./price-edit.ts";

export interface DecideOptions extends EditTerms {
  readonly moment: EditMoment;
  /** A rewriting must clear at least this many tokens; 0 by default. Edits without rewriting are exempt. */
  readonly clearAtLeastTokens?: number;
  /**
   * By how much the savings must exceed the rewriting, as a share of it: 0 at a boundary and 1 in mid-turn by default. Not used if no
   * number of requests is expected: the waiting rule is a margin of its own.
   */
  readonly marginShare?: number;
  /** What could have been read before other edits were made for this request; `prefix.warmTokens` by default. */
  readonly sentTokens?: number;
}

/** A set of edits that share one rewriting: the first `count` in walking order. */
interface Suffix {
  readonly count: number;
  readonly netUnits: number;
  readonly isEnough: boolean;
  readonly isSure: boolean;
}

/**
 * Decides which proposed edits to make now, one verdict each, in order. What was never sent is free. Of the rest: once the rewriting from
 * some position is paid, everything after it is free to edit too, so the best set is all worthwhile edits after the best position. One walk
 * from the end finds it (linear, after sorting if the proposals are out of order).
 */
export function decideEdits(proposals: readonly SizedEdit[], options: DecideOptions): readonly EditVerdict[] {
  requireOptions(options);
  const now =
    options.moment === "cold" ? { ...options, prefix: { ...options.prefix, warmTokens: 0 }, sentTokens: 0 } : options;
  const scale = createEditScale(now);
  const isFresh = (edit: SizedEdit): boolean => !(edit.positionTokens < now.prefix.warmTokens);
  const isWorthwhile = (edit: SizedEdit): boolean => edit.savedTokens > 0 && scale.worth(edit) > scale.recovery(edit);
  const candidates = now.moment === "birth" ? [] : proposals.filter((edit) => !isFresh(edit) && isWorthwhile(edit));
  const walked = sortFromEnd(candidates);
  const { chosen, best } = chooseSuffix(walked, now, scale);
  const made = new Set(walked.slice(0, chosen?.count ?? 0));
  // If nothing pays, the set of all edits explains it best.
  const nearest = chosen ?? (best && best.netUnits >= 0 ? best : undefined);
  const shown = new Set(walked.slice(0, nearest?.count));
  const set = shown.size > 0 ? { edits: shown.size, price: priceOnScale([...shown], scale) } : undefined;

  return proposals.map((edit) => {
    const finding = { isFresh: isFresh(edit), isWorthwhile: isWorthwhile(edit), chosen, best };
    const isMade = made.has(edit) || (finding.isFresh && finding.isWorthwhile);
    const why = decideReason({ ...finding, isMade }, edit, now);
    const price = priceOnScale([edit], scale, { isRewritePaid: isMade });
    const isShared = set !== undefined && shown.has(edit);
    return { isMade, why, expectedRequests: scale.expected(edit), price, ...(isShared ? { set } : {}) };
  });
}

interface Finding {
  readonly isMade: boolean;
  readonly isFresh: boolean;
  readonly isWorthwhile: boolean;
  readonly chosen: Suffix | undefined;
  readonly best: Suffix | undefined;
}

function decideReason(finding: Finding, edit: SizedEdit, options: DecideOptions): VerdictReason {
  const { moment, prefix, sentTokens = prefix.warmTokens } = options;
  const { isMade, isFresh, isWorthwhile, chosen, best } = finding;
  if (!(edit.savedTokens > 0)) return "savesNothing";
  if (isMade && isFresh) {
    if (edit.positionTokens < sentTokens) return "ridesAlong";
    return sentTokens === 0 && moment !== "birth" ? "cold" : "atBirth";
  }
  if (moment === "birth" && !isFresh) return "alreadySent";
  if (!isWorthwhile) return "neededAgain";
  if (isMade) return "pays";
  if (chosen || !best || best.netUnits < 0) return "doesNotPay";
  return best.isEnough ? "withinMargin" : "tooLittle";
}

/** From the end of the conversation to its beginning; equals keep their order. */
function sortFromEnd(edits: readonly SizedEdit[]): readonly SizedEdit[] {
  return [...edits].reverse().sort((left, right) => right.positionTokens - left.positionTokens);
}

/** `chosen`: the best suffix that meets all conditions. `best`: the best of all, to explain why none was chosen. */
function chooseSuffix(
  walked: readonly SizedEdit[],
  options: DecideOptions,
  scale: EditScale,
): { readonly chosen: Suffix | undefined; readonly best: Suffix | undefined } {
  const { prefix } = scale;
  const { clearAtLeastTokens = 0 } = options;
  const margin = options.expectedRequests === undefined ? 0 : (options.marginShare ?? MARGINS[options.moment]);
  const premium = scale.write - scale.read;
  let worth = 0;
  let recovery = 0;
  let cleared = 0;
  let savedCached = 0;
  let chosen: Suffix | undefined;
  let best: Suffix | undefined;
  for (const [index, edit] of walked.entries()) {
    worth += scale.worth(edit);
    recovery += scale.recovery(edit);
    cleared += edit.savedTokens;
    savedCached += Math.min(edit.savedTokens, prefix.warmTokens - edit.positionTokens);
    const lost = prefix.warmTokens - countResumedTokens(prefix, edit.positionTokens);
    const netUnits = worth - recovery - lost * premium;
    const rewriteUnits = Math.max(0, lost - savedCached) * premium;
    const isSure = netUnits >= margin * rewriteUnits;
    const isEnough = cleared >= clearAtLeastTokens;
    const suffix = { count: index + 1, netUnits, isEnough, isSure };
    if (isSure && isEnough && netUnits >= 0 && (!chosen || netUnits > chosen.netUnits)) chosen = suffix;
    if (!best || netUnits > best.netUnits) best = suffix;
  }
  return { chosen, best };
}

const MARGINS: Readonly<Record<EditMoment, number>> = { birth: 0, boundary: 0, midTurn: 1, cold: 0 };

function requireOptions(options: DecideOptions): void {
  requireAtLeast(0, "clearAtLeastTokens", options.clearAtLeastTokens);
  requireAtLeast(0, "marginShare", options.marginShare);
  requireAtLeast(0, "expectedRequests", options.expectedRequests);
  if (!(options.moment in MARGINS)) {
    throw new TypeError(`moment must be one of ${Object.keys(MARGINS).join(", ")}, not ${options.moment}`);
  }
}
