import { type Applied, applyEdits } from "./apply-edits.ts";
import type { Edit } from "./edit.ts";
import type { Block, Message } from "./message.ts";

/** What is known about the next request apart from its messages. Leave it out if nothing is known. */
export interface Occasion {
  /** System prompt, tools and instructions: the part that every request carries. */
  readonly baseTokens: number;
  /** The part of it that a client says in messages, again in every window: a compaction writes it anew, too. */
  readonly repeatedTokens?: number | undefined;
  readonly model: string;
  /** The prefix has left the cache, so the whole request is written anew in any case. */
  readonly isCold: boolean;
  /** Share of the cache writes that use the 1-hour lifetime. */
  readonly share1h: number;
  /**
   * `client`: only the end of the request has a cache breakpoint, so a change far from it costs everything after the base. `atEdit`: the
   * edit's place has one too.
   */
  readonly marks: "client" | "atEdit";
  /** How many requests have carried the history so far, if that is known: a conversation that is seen for the first time has cost nothing yet. */
  readonly carriedRequests?: number | undefined;
  /** The message that opened the newest exchange of the conversation's first request, if that is known: only what follows that exchange has never been sent whole. */
  readonly beganWith?: string | undefined;
  /** How many originals are fetched back after a compaction, where the person's own sessions have shown it. */
  readonly recallsPerCompaction?: number | undefined;
  /** Weights to use instead of the model's prices. */
  readonly weights?: TokenWeights | undefined;
  /** What is asked of a model for each collapse; absent where none is asked. */
  readonly question?: { readonly readTokens: number; readonly outputTokens: number } | undefined;
}

/** Relative cost of a token that is read from the cache, sent uncached, written to the cache, or output. */
export interface TokenWeights {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

export const unknownOccasion: Occasion = { baseTokens: 0, model: "", isCold: false, share1h: 0, marks: "client" };

/** What a layer sees: the conversation as it would be sent now, and its size. */
export interface View {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** The load line: at or below it nothing more needs to be done. */
  readonly targetTokens: number;
  readonly countTokens: (message: Message) => number;
  /** Once true, the caller has waited long enough: return what was found so far. */
  readonly isTimeSpent?: (() => boolean) | undefined;
  readonly occasion?: Occasion | undefined;
}

/**
 * One way to make a conversation lighter. A layer proposes and performs nothing.
 *
 * Contract (checked for every layer by one shared property test): `plan` is deterministic, changes nothing it was given,
 * settles (planning again on its own result proposes nothing), and never makes the view heavier.
 */
export interface Layer {
  /** An imperative that says what disappears: `foldOutput`. */
  readonly name: string;
  /** Layers run from the lowest cost to the highest; equal costs run in the given order. */
  readonly cost: number;
  /** An eager layer runs on every request; the others only while the view is above the line. */
  readonly eager: boolean;
  plan(view: View): readonly Edit[];
}

/**
 * The decisions made so far about one conversation, oldest first. A host sends its whole history every time; replaying the ledger over it
 * gives the same bytes as last time, so the prompt cache stays valid. Plain data: it survives `JSON.stringify`.
 */
export interface Ledger {
  readonly decisions: readonly Edit[];
  /** How many requests were prepared with it, where that is counted. */
  readonly requests?: number;
  /** The message that opened the newest exchange of the first of them. */
  readonly beganWith?: string | undefined;
}

export const emptyLedger: Ledger = { decisions: [] };

/** Returns the identical ledger if there is nothing to add. */
export function recordDecisions(ledger: Ledger, edits: readonly Edit[]): Ledger {
  return edits.length === 0 ? ledger : { ...ledger, decisions: [...ledger.decisions, ...edits] };
}

/**
 * Applies every decision whose target is still there and unchanged. A decision about a message that the host has since compacted away is
 * refused as `targetMissing`, one about changed content as `targetDiffers`. Both stay in the ledger: a resumed or forked session may bring
 * the target back.
 */
export function replayLedger(ledger: Ledger, messages: readonly Message[]): Applied {
  return applyEdits(messages, ledger.decisions);
}

/** Decisions not applied because their target has changed. */
export function countDropped({ refused }: Pick<Applied, "refused">): number {
  return refused.filter(({ why }) => why === "targetDiffers").length;
}

/** Tokens saved by replacing `before` with `after`. At zero or less a layer leaves it alone. */
export function weighSaving(
  { countTokens }: View,
  message: Message,
  { before, after }: { readonly before: Block; readonly after: Block },
): number {
  return countTokens({ ...message, blocks: [before] }) - countTokens({ ...message, blocks: [after] });
}
