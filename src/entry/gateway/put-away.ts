import { parseObject, textListField } from "../../core/json.ts";
import { sha256 } from "../../files/native-sha256.ts";
import { nameOriginal, type Original } from "../../layers/history/originals.ts";

/** A history that a compaction removed from its client's window, and what had been removed before. */
export interface PutAway {
  /** The owner; no one else gets it back. */
  readonly user: string;
  /** The hashes behind the handles of the record that replaces it. */
  readonly left: readonly string[];
}

/** The last sentence of a text that replaces a history. */
const CLOSING = "The conversation up to here is kept, word for word, as";
const CLOSED = /The conversation up to here is kept, word for word, as (plimsoll:[0-9a-f]{12})\./;

/** A request that continues from such a text contains this. */
export const CLOSING_SIGN: Buffer = Buffer.from(CLOSING);

export function closeWith(handle: string): string {
  return `${CLOSING} ${handle}.`;
}

export function findClosing(text: string): string | undefined {
  return CLOSED.exec(text)?.[1];
}

/** `list` is the history as the client wrote it. */
export function putAway({ user, left }: PutAway, list: string): Original {
  const text = `${JSON.stringify({ user, left })}\n${list}`;
  return { handle: nameOriginal(text, sha256), text };
}

/** `undefined` if it belongs to another user, or is none. */
export function parsePutAway(text: string, user: string): (PutAway & { readonly list: Buffer }) | undefined {
  const end = text.indexOf("\n");
  const head = parseObject(text.slice(0, end));
  if (head.user !== user) return undefined;
  return { user, left: textListField(head, "left"), list: Buffer.from(text.slice(end + 1)) };
}
