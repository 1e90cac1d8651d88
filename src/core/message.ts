import type { JsonObject } from "./json.ts";

/**
 * The neutral conversation: what a model is sent, whatever host or wire format it came from. Every value is read-only; nothing below an
 * entry point changes what it was given.
 */
export interface Message {
  /** Stable across requests: the same message has the same id each time it is sent. */
  readonly id: string;
  readonly role: Role;
  readonly blocks: readonly Block[];
}

/** Newer models accept `system` messages in the middle of a conversation, so it is a role like the others. */
export type Role = "user" | "assistant" | "system";

export type Block = TextBlock | ToolCallBlock | ToolResultBlock | ThinkingBlock | ImageBlock | OpaqueBlock;

interface Identified {
  /** Stable across requests; see `block-id.ts`. */
  readonly id: string;
}

export interface TextBlock extends Identified {
  readonly kind: "text";
  readonly text: string;
  /** The person's own words are never folded or cleared; the host's reminders may be. */
  readonly author: Author;
}

export type Author = "person" | "model" | "host";

export interface ToolCallBlock extends Identified {
  readonly kind: "toolCall";
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
}

export interface ToolResultBlock extends Identified {
  readonly kind: "toolResult";
  readonly callId: string;
  readonly parts: readonly ResultPart[];
  readonly isError: boolean;
}

export type ResultPart =
  | { readonly kind: "text"; readonly text: string }
  | ImagePart
  | { readonly kind: "opaque"; readonly raw: JsonObject };

export interface ImagePart {
  readonly kind: "image";
  readonly mediaType: string;
  /** Length of the encoded data; the data itself stays in `raw`. */
  readonly encodedLength: number;
  readonly raw: JsonObject;
}

/** Bound to its place by a signature: never altered, only removed together with its whole message. */
export interface ThinkingBlock extends Identified {
  readonly kind: "thinking";
  readonly text: string;
  readonly signature: string;
}

export type ImageBlock = Identified & ImagePart;

/** A block this version does not understand: it is sent exactly as it came. */
export interface OpaqueBlock extends Identified {
  readonly kind: "opaque";
  readonly type: string;
  readonly raw: JsonObject;
}

/** The text of a result, parts joined by line feeds; images and unknown parts have none. */
export function renderResultText(result: ToolResultBlock): string {
  const [first] = result.parts;
  if (result.parts.length === 1 && first?.kind === "text") return first.text;
  return result.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
}

/** Memoizes a function over immutable objects; a value lives as long as its key. */
export function computeOnce<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** A call's input as JSON. Computed once, because it is weighed, hashed, compared and stored in the ledger. */
export const renderInput: (call: ToolCallBlock) => string = computeOnce(({ input }) => JSON.stringify(input));
