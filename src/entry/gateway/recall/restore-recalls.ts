import { hashBlocks } from "../../../core/hash.ts";
import type { Block, Message, ToolCallBlock, ToolResultBlock } from "../../../core/message.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { CLOSING_SIGN, findClosing, parsePutAway } from "../put-away.ts";
import { advanceChain } from "../request/identify-session.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { ParsedRequest } from "../wire.ts";
import type { RecalledAnswer, RecalledCall, ShownBlock } from "./round.ts";

/** Puts every `recall` call and its result back, unless its place holds other words now. The identical array if nothing is restored. */
export function restoreRecalls(messages: readonly Message[], recalls: readonly RecalledAnswer[]): readonly Message[] {
  if (recalls.length === 0) return messages;
  const restored: Message[] = [];
  let chain = "";
  let results: readonly RecalledCall[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "user" && results.length > 0) {
      restored.push(addResults(message, results));
      results = [];
    } else if (message.role !== "assistant") restored.push(message);
    else {
      const here = recalls.filter(({ behind }) => behind === chain);
      const found = findRecalled(message, here, () => hasResultsNext(messages, index));
      restored.push(...(found?.messages ?? [message]));
      results = found?.results ?? [];
      chain = advanceChain(chain, message);
    }
  }
  const isSame = restored.length === messages.length && restored.every((message, index) => message === messages[index]);
  return isSame ? messages : restored;
}

/** How a block is recognised when the client sends it back. Clients often trim blanks around a text. */
export function describeShown(block: Block): ShownBlock {
  if (block.kind === "text")
    return { hash: sha256(`text ${block.text.trim()}`), mayBeAbsent: block.text.trim() === "" };
  return { hash: hashBlocks([block], sha256), mayBeAbsent: block.kind === "thinking" };
}

interface Restored {
  readonly messages: readonly Message[];
  /** Results of calls that were made together with the client's own; they go with the results of those. */
  readonly results: readonly RecalledCall[];
}

/** Messages are the same objects from request to request, so results are cached by message. */
const made = new WeakMap<Message, { readonly recalled: RecalledAnswer; readonly restored: Restored }>();

/** `mayHold`: results of the client's own calls follow, and `recall` results can be among them. */
function findRecalled(message: Message, recalls: readonly RecalledAnswer[], mayHold: () => boolean) {
  for (const recalled of recalls) {
    const isParallel = (recalled.rounds.at(-1)?.calls.length ?? 0) > 0;
    if (isParallel && !mayHold()) continue;
    const before = made.get(message);
    if (before?.recalled === recalled) return before.restored;
    const restored = restore(message, recalled);
    if (!restored) continue;
    made.set(message, { recalled, restored });
    return restored;
  }
  return undefined;
}

/** A message of role system may be between a call and its results. */
function hasResultsNext(messages: readonly Message[], index: number): boolean {
  let after = index + 1;
  while (messages[after]?.role === "system") after++;
  const next = messages[after];
  return next?.role === "user" && next.blocks.some(({ kind }) => kind === "toolResult");
}

/** The rounds of an answer as messages; `undefined` if the client's message differs from what it was shown. */
function restore(message: Message, { rounds }: RecalledAnswer): Restored | undefined {
  const messages: Message[] = [];
  let next = 0;
  for (const [index, { shown, calls }] of rounds.entries()) {
    const listCalls = (place: number): readonly Block[] => calls.filter(({ at }) => at === place).map(toCall);
    const blocks: Block[] = [];
    for (const [place, { hash, mayBeAbsent }] of shown.entries()) {
      blocks.push(...listCalls(place));
      const block = message.blocks[next];
      const isIt = block !== undefined && describeShown(block).hash === hash;
      if (!isIt && !mayBeAbsent) return undefined;
      if (isIt) blocks.push(block);
      if (isIt) next++;
    }
    blocks.push(...listCalls(shown.length));
    const isLast = index === rounds.length - 1;
    const isWhole =
      blocks.length === message.blocks.length && blocks.every((block, at) => block === message.blocks[at]);
    const id = isLast ? message.id : `${message.id}/${index}`;
    if (blocks.length > 0) messages.push(isWhole ? message : { id, role: "assistant", blocks });
    if (!isLast) messages.push({ id: `${message.id}/${index}/recalled`, role: "user", blocks: calls.map(toResult) });
  }
  if (next < message.blocks.length) return undefined;
  return { messages, results: rounds.at(-1)?.calls ?? [] };
}

/** Messages with results added, cached so that the objects stay the same. */
const added = new WeakMap<Message, { readonly calls: readonly RecalledCall[]; readonly message: Message }>();

/** Results go first: the API accepts them only before text. */
function addResults(message: Message, calls: readonly RecalledCall[]): Message {
  const before = added.get(message);
  if (before?.calls === calls) return before.message;
  const whole = { ...message, blocks: [...calls.map(toResult), ...message.blocks] };
  added.set(message, { calls, message: whole });
  return whole;
}

function toCall({ callId, tool, input }: RecalledCall): ToolCallBlock {
  return { kind: "toolCall", id: `toolCall:${callId}`, callId, tool, input };
}

function toResult({ callId, parts, isError }: RecalledCall): ToolResultBlock {
  return { kind: "toolResult", id: `toolResult:${callId}`, callId, parts, isError };
}

/** The hashes that a request may fetch because it contains the record of a compaction that this gateway wrote for this user. */
type ReadCarried = (request: ParsedRequest, user: string) => Promise<readonly string[]>;

/** A client puts the record at the beginning of its new window. */
const FIRST_MESSAGES = 3;
const MAX_REMEMBERED = 1_000;

/** Histories never change, so each is read once. If one cannot be read now, the request goes on without it. */
export function createReadCarried(store: Pick<GatewayStore, "readOriginal">): ReadCarried {
  const known = new Map<string, readonly string[]>();
  const read = async (handle: string, user: string): Promise<readonly string[]> => {
    const key = `${user} ${handle}`;
    const before = known.get(key);
    if (before) return before;
    const text = await store.readOriginal(handle).catch(() => undefined);
    const kept = text === undefined ? undefined : parsePutAway(text, user);
    if (text === undefined || !kept) return [];
    const hashes = [sha256(text), ...kept.left];
    known.set(key, hashes);
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return hashes;
  };
  return async ({ bytes, spans, conversation }, user) => {
    const end = spans[Math.min(spans.length, FIRST_MESSAGES) - 1]?.end ?? 0;
    if (!bytes.subarray(0, end).includes(CLOSING_SIGN)) return [];
    const texts = conversation.messages
      .slice(0, FIRST_MESSAGES)
      .flatMap(({ role, blocks }) => (role === "user" ? blocks : []))
      .flatMap((block) => (block.kind === "text" ? [block.text] : []));
    const handles = new Set(texts.flatMap((text) => findClosing(text) ?? []));
    return (await Promise.all([...handles].map((handle) => read(handle, user)))).flat();
  };
}
