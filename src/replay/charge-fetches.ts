import type { Block } from "../core/message.ts";
import { RECOVERY_OUTPUT_TOKENS, RECOVERY_PAGE_TOKENS } from "../models/economics/recovery.ts";
import { chargeRequest, type RequestKind, type WalkedRequest } from "./charge-request.ts";
import type { Holding } from "./holding.ts";
import type { Needs } from "./needs.ts";
import { addNeed, type ReplayOutcome } from "./outcome.ts";
import type { ReplayStep } from "./session.ts";

export interface Fetching {
  readonly outcome: ReplayOutcome;
  readonly holding: Holding;
  readonly needs: Needs;
  readonly step: ReplayStep;
  readonly viewTokens: number;
  /** How much of the writing is for the long life time. */
  readonly share1h: number;
  readonly weigh: (block: Block) => number;
}

/** What one request fetches: its calls stand in one answer, and their pages come with the next request. */
interface Fetch {
  calls: number;
  pageTokens: number;
}

/**
 * What an answer needed and the view did not hold, fetched before it. A model makes such calls side by side, and one recall takes several handles: each call is
 * written and each page paid for, the view is read once more for all of them. Recalls and re-reads are charged apart, so they are two requests where both occur.
 */
export function chargeFetches(index: number, fetching: Fetching): readonly WalkedRequest[] {
  const { outcome, holding, needs, step, viewTokens, share1h, weigh } = fetching;
  const fetches = new Map<RequestKind, Fetch>();
  for (const need of needs.bySteps[index] ?? []) {
    const found = holding.look(need.atom, index);
    addNeed(outcome, need, found);
    if (found.kind === "retained" || !found.isCharged) continue;
    if (!outcome.isWordless) outcome.fetches++;
    const isBehindHandle = found.kind === "recoverable";
    const kind = outcome.isWordless ? "unheard" : isBehindHandle ? "recovery" : "reread";
    const whole = weigh(found.block);
    const fetch = fetches.get(kind) ?? { calls: 0, pageTokens: 0 };
    fetch.calls++;
    fetch.pageTokens += isBehindHandle ? Math.min(RECOVERY_PAGE_TOKENS, whole) : whole;
    fetches.set(kind, fetch);
  }
  return [...fetches].map(([kind, { calls, pageTokens }]) =>
    chargeRequest(outcome, kind, step, {
      readTokens: viewTokens,
      writtenTokens: pageTokens,
      written1hTokens: pageTokens * share1h,
      outputTokens: calls * RECOVERY_OUTPUT_TOKENS,
    }),
  );
}
