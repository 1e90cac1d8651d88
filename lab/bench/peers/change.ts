import type { Author } from "../../../src/core/message.ts";

/** A block as it goes to a peer's thread: what peers look at, weighed once, without bytes that none of them reads. */
export interface SentBlock {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly author: Author;
  readonly callId: string;
  readonly tool: string;
  readonly input: object;
  readonly isError: boolean;
  readonly tokens: number;
}

export interface SentMessage {
  readonly role: string;
  readonly blocks: readonly SentBlock[];
}

/** What a peer did to the conversation, in the names that the conversation came with. */
export interface Change {
  /** Results that now say something else. */
  readonly cleared: readonly ClearedBlock[];
  /** Blocks that are no longer sent. */
  readonly dropped: readonly string[];
  /** A model was asked for a summary, which stands in front of what is left; `appendix` is what the peer adds to it by itself. */
  readonly summary?: { readonly appendix: string };
}

export interface ClearedBlock {
  readonly block: string;
  readonly text: string;
  /** What in the text names the place where the peer stored the original; without it there is no way back. */
  readonly storedAt?: string;
}
