import { CLOSING_SIGN, findClosing, parsePutAway } from "../put-away.ts";
import { sha256 } from "../request/sha256.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { ParsedRequest } from "../wire.ts";

/** The hashes that a request may fetch because the record of a compaction is in it, which this gateway wrote for this user. */
export type ReadCarried = (request: ParsedRequest, user: string) => Promise<readonly string[]>;

/** A client puts the record in front of its new window. */
const FIRST_MESSAGES = 3;
const MAX_REMEMBERED = 1_000;
const NONE: readonly string[] = [];

/** Histories never change: each is read once. Where one cannot be read now, the request goes on without it. */
export function createReadCarried(store: Pick<GatewayStore, "readOriginal">): ReadCarried {
  const known = new Map<string, readonly string[]>();
  const read = async (handle: string, user: string): Promise<readonly string[]> => {
    const key = `${user} ${handle}`;
    const before = known.get(key);
    if (before) return before;
    const text = await store.readOriginal(handle).catch(() => undefined);
    const kept = text === undefined ? undefined : parsePutAway(text, user);
    if (text === undefined || !kept) return NONE;
    const hashes = [sha256(text), ...kept.left];
    known.set(key, hashes);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return hashes;
  };
  return async ({ bytes, spans, conversation }, user) => {
    const end = spans[Math.min(spans.length, FIRST_MESSAGES) - 1]?.end ?? 0;
    if (!bytes.subarray(0, end).includes(CLOSING_SIGN)) return NONE;
    const texts = conversation.messages
      .slice(0, FIRST_MESSAGES)
      .flatMap(({ role, blocks }) => (role === "user" ? blocks : []))
      .flatMap((block) => (block.kind === "text" ? [block.text] : []));
    const handles = new Set(texts.flatMap((text) => findClosing(text) ?? []));
    return (await Promise.all([...handles].map((handle) => read(handle, user)))).flat();
  };
}
