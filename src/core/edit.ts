import type { JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

/**
 * A change to the conversation, as data: it can be shown with its reason before it happens, priced, replayed byte for byte
 * on the next request, and undone from the originals its handles name.
 */
export type Edit = ReplaceBlock | ReplaceSpan;

/** Who decided, and why. */
export interface Accountable {
  /** The layer that proposed it. */
  readonly by: string;
  /** One sentence for the person, deterministic: it becomes part of the record that is replayed. */
  readonly reason: string;
  /** Where the originals can be fetched; empty when nothing was removed that is not still in view. */
  readonly handles: readonly string[];
}

/**
 * What every change says of itself. An edit is bound to what it replaces: it is carried out only where the same is said, and
 * whatever was said instead leaves whole. `propose-edit.ts` makes them, from their target.
 */
interface Bound extends Accountable {
  /** Hash of what it replaces, as the decision saw it. */
  readonly replaces: string;
}

/** Puts other content into one block; its id, its call and its place stay. */
export interface ReplaceBlock extends Bound {
  readonly kind: "replaceBlock";
  readonly block: string;
  readonly content: BlockContent;
  /** Other blocks that the new content speaks of, such as the call of a result: the hash covers them, too. */
  readonly restsOn?: readonly string[];
}

/** Text for texts, results and images; an input for tool calls. */
export type BlockContent = { readonly text: string } | { readonly input: JsonObject };

/** Puts other messages in the place of `first` to `last`, both included. */
export interface ReplaceSpan extends Bound {
  readonly kind: "replaceSpan";
  readonly first: string;
  readonly last: string;
  readonly messages: readonly Message[];
}

/**
 * What becomes of blocks and parts that nobody here understands. They stay, as every door has it: a result that holds one may leave
 * only with its whole exchange, behind a handle. In replay rivals may take out what they like, because they do.
 */
export type OpaqueRule = "stays" | "mayGo";

export interface Refusal {
  readonly edit: Edit;
  readonly why: RefusalReason;
  readonly detail: string;
}

export type RefusalReason =
  | "targetMissing"
  | "targetDiffers"
  | "thinkingIsBound"
  | "opaqueIsUntouchable"
  | "wrongContent"
  | "changesNothing"
  | "spanReversed"
  | "breaksInvariant";
