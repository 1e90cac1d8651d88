import { isObject, type JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

/**
 * A change to the conversation, as data: it can be shown with its reason before it happens, priced, replayed byte for byte on the next
 * request, and undone from the originals behind its handles.
 */
export type Edit = ReplaceBlock | ReplaceSpan;

export interface Accountable {
  readonly by: string;
  /** One sentence for the person. Deterministic, because it becomes part of the record that is replayed. */
  readonly reason: string;
  /** Where the originals can be fetched; empty if everything removed is still in view. */
  readonly handles: readonly string[];
}

/**
 * An edit is bound to the content it replaces: it applies only if that content is unchanged; otherwise the content is sent as it is.
 * `propose-edit.ts` creates edits from their target.
 */
interface Bound extends Accountable {
  /** Hash of the replaced content at the time of the decision. */
  readonly replaces: string;
}

/** Replaces the content of one block; its id, call and position stay. */
export interface ReplaceBlock extends Bound {
  readonly kind: "replaceBlock";
  readonly block: string;
  readonly content: BlockContent;
  /** Other blocks the new content refers to, such as the call of a result. The hash covers them too. */
  readonly restsOn?: readonly string[];
}

/** Text for texts, results and images; an input for tool calls. */
export type BlockContent = { readonly text: string } | { readonly input: JsonObject };

/** Replaces the messages from `first` to `last`, inclusive. */
export interface ReplaceSpan extends Bound {
  readonly kind: "replaceSpan";
  readonly first: string;
  readonly last: string;
  readonly messages: readonly Message[];
}

/**
 * What happens to blocks and parts we do not understand. Every entry point uses `stays`: a result that holds one may leave only with its
 * whole exchange, behind a handle. In replay, rival tools may remove them, because they do.
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

/** A decision as it is stored, to be made again on every later request. */
export type KeptEdit = Edit & {
  /** The model's answer after which it was made, if the client does not name its conversation: it counts only there. */
  readonly after?: string;
  /** The full hashes of the originals stored with it: handles show twelve digits, which two originals may share. */
  readonly originals?: readonly string[];
};

/** A stored decision; `undefined` for anything else. */
export function parseKeptEdit(value: unknown): KeptEdit | undefined {
  // Older versions did not store what an edit replaces. Nothing has an empty hash, so such a decision is dropped and counted.
  const isOlder = isObject(value) && value.kind !== "recalled" && value.replaces === undefined;
  const bound: unknown = isOlder ? { ...value, replaces: "" } : value;
  return isKeptEdit(bound) ? bound : undefined;
}

/** The decisions of a stored list; what this version does not understand is left out. */
export function parseKeptEdits(value: unknown): readonly KeptEdit[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => parseKeptEdit(item) ?? []) : [];
}

function isKeptEdit(value: unknown): value is KeptEdit {
  if (!isObject(value) || typeof value.by !== "string" || typeof value.reason !== "string") return false;
  if (typeof value.replaces !== "string" || !Array.isArray(value.handles)) return false;
  if (value.after !== undefined && typeof value.after !== "string") return false;
  if (value.originals !== undefined && !isTextList(value.originals)) return false;
  if (value.restsOn !== undefined && !Array.isArray(value.restsOn)) return false;
  return value.kind === "replaceBlock"
    ? typeof value.block === "string" && isObject(value.content)
    : typeof value.first === "string" && typeof value.last === "string" && Array.isArray(value.messages);
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
