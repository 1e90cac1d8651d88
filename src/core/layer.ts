import { type Applied, applyEdits } from "./apply-edits.ts";
import type { Edit } from "./edit.ts";
import type { Block, Message } from "./message.ts";

/** What is known of the request that is about to be made, beside its messages. Whoever knows nothing of it leaves it out. */
export interface Occasion {
  /** System prompt, tools, instructions: what every request carries whatever was said. */
  readonly baseTokens: number;
  readonly model: string;
  /** The prefix has left the cache: the request is written anew whatever is decided. */
  readonly isCold: boolean;
  /** How much of what is written is for the long life time. */
  readonly share1h: number;
  /** `client`: the end of the request is marked, so a change far from it costs everything behind the base. `atEdit`: its place is marked, too. */
  readonly marks: "client" | "atEdit";
  /** What a token counts by how it travels, where not the model's prices decide. */
  readonly weights?: TokenWeights | undefined;
}

/** What a token that is read from the cache, sent or written into it, or answered counts, relative to one another. */
export interface TokenWeights {
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

export const unknownOccasion: Occasion = { baseTokens: 0, model: "", isCold: false, share1h: 0, marks: "client" };

/** What a layer is shown: the conversation as it would be sent now, and how heavy it is. */
export interface View {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** The load line: at or below it nothing more needs to be done. */
  readonly targetTokens: number;
  readonly countTokens: (message: Message) => number;
  /** Once it says so, whoever waits has waited long enough: what was found until then will do. */
  readonly isTimeSpent?: () => boolean;
  /** What is known of the request beside its messages. */
  readonly occasion?: Occasion;
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
  /** Layers run from the lowest cost to the highest. Equal costs run in the order given. */
  readonly cost: number;
  /** An eager layer is asked on every request; the others only while the view is above the line. */
  readonly eager: boolean;
  plan(view: View): readonly Edit[];
}

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

/** Tokens that go when `after` stands in the place of `before`; zero and less where nothing is won, and a layer leaves it alone. */
export function weighSaving(
  { countTokens }: View,
  message: Message,
  { before, after }: { readonly before: Block; readonly after: Block },
): number {
  return countTokens({ ...message, blocks: [before] }) - countTokens({ ...message, blocks: [after] });
}
