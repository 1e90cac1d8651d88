import { parseJson } from "../../core/json.ts";
import { sha256 } from "../../files/native-sha256.ts";
import { nameOriginal, type Original } from "../../layers/history/originals.ts";
import { isRecord } from "../../wire/is-json.ts";

/** A history that left its client's window with a compaction, and what had left it before. */
export interface PutAway {
  /** Whose it is: nobody else gets it back. */
  readonly user: string;
  /** The hashes of what lies behind the handles of the record in its place. */
  readonly left: readonly string[];
}

/** How a text ends that is in the place of a history. */
const CLOSING = "The conversation up to here is kept, word for word, as";
const CLOSED = /The conversation up to here is kept, word for word, as (plimsoll:[0-9a-f]{12})\./;

/** What a request holds that goes on from such a text. */
export const CLOSING_SIGN: Buffer = Buffer.from(CLOSING);

export function closeWith(handle: string): string {
  return `${CLOSING} ${handle}.`;
}

/** The handle of the history that a text is in the place of. */
export function findClosing(text: string): string | undefined {
  return CLOSED.exec(text)?.[1];
}

/** `list` is the history as the client wrote it. */
export function putAway({ user, left }: PutAway, list: string): Original {
  const text = `${JSON.stringify({ user, left })}\n${list}`;
  return { handle: nameOriginal(text, sha256), text };
}

/** `undefined` where it is somebody else's, or none. */
export function parsePutAway(text: string, user: string): (PutAway & { readonly list: Buffer }) | undefined {
  const end = text.indexOf("\n");
  const head = parseJson(text.slice(0, end));
  if (!isRecord(head) || head.user !== user) return undefined;
  const left = Array.isArray(head.left) ? head.left.filter((hash) => typeof hash === "string") : [];
  return { user, left, list: Buffer.from(text.slice(end + 1)) };
}
