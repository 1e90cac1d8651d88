import { type Applied, applyEdits } from "./apply-edits.ts";
import type { Edit } from "./edit.ts";
import type { Message } from "./message.ts";

/**
 * The decisions already made about one conversation, oldest first. A host sends its whole history every time; replaying the
 * ledger over it gives the same bytes as last time, so the prompt cache stands. Plain data: it survives `JSON.stringify`.
 */
export interface Ledger {
  readonly decisions: readonly Edit[];
}

export const emptyLedger: Ledger = { decisions: [] };

/** The identical ledger when there is nothing to add. */
export function recordDecisions(ledger: Ledger, edits: readonly Edit[]): Ledger {
  return edits.length === 0 ? ledger : { decisions: [...ledger.decisions, ...edits] };
}

/**
 * Carries out every decision whose target is still there and says what it said. A decision about a message that the host has
 * since compacted away is refused as `targetMissing`, one about content that has changed as `targetDiffers`. Both stay in the
 * ledger: a resumed or forked session may bring the target back.
 */
export function replayLedger(ledger: Ledger, messages: readonly Message[]): Applied {
  return applyEdits(messages, ledger.decisions);
}

/** Decisions that were not carried out because what they replaced is not what it was. */
export function countDropped({ refused }: Pick<Applied, "refused">): number {
  return refused.filter(({ why }) => why === "targetDiffers").length;
}
