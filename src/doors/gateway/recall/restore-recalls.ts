import { hashBlocks } from "../../../core/hash.ts";
import type { Block, Message, ToolCallBlock, ToolResultBlock } from "../../../core/message.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { CLOSING_SIGN, findClosing, parsePutAway } from "../put-away.ts";
import { advanceChain } from "../request/identify-session.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { ParsedRequest } from "../wire.ts";
import type { RecalledAnswer, RecalledCall, RecalledRound, ShownBlock } from "./round.ts";

/**
 * The conversation with every call of `recall` and its result where they stood. An answer whose place holds something else now is left
 * out: nothing is put beside words that it was not said beside. The identical array where nothing is restored.
 */
export function restoreRecalls(messages: readonly Message[], recalls: readonly RecalledAnswer[]): readonly Message[] {
  if (recalls.length === 0) return messages;
  const told: Message[] = [];
  let chain = "";
  let results: readonly RecalledCall[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "user" && results.length > 0) {
      told.push(addResults(message, results));
      results = [];
    } else if (message.role !== "assistant") told.push(message);
    else {
      const found = findRecalled(message, { chain, recalls, mayHold: () => hasResultsNext(messages, index) });
      told.push(...(found?.messages ?? [message]));
      results = found?.results ?? [];
      chain = advanceChain(chain, message);
    }
  }
  return told.length === messages.length && told.every((message, index) => message === messages[index])
    ? messages
    : told;
}

/** By what a block is known again when the client sends it back. Blanks around a text are often trimmed on the way. */
export function describeShown(block: Block): ShownBlock {
  if (block.kind === "text")
    return { hash: sha256(`text ${block.text.trim()}`), mayBeAbsent: block.text.trim() === "" };
  return { hash: hashBlocks([block], sha256), mayBeAbsent: block.kind === "thinking" };
}

interface Place {
  readonly chain: string;
  readonly recalls: readonly RecalledAnswer[];
  /** Results of the client's own calls follow, among which those of `recall` can stand. */
  readonly mayHold: () => boolean;
}

interface Restored {
  readonly messages: readonly Message[];
  /** Of calls that were made together with the client's own: they stand with the results of those. */
  readonly results: readonly RecalledCall[];
}

/** Messages are the same objects from request to request, and so is what was made of them. */
const made = new WeakMap<Message, { readonly recalled: RecalledAnswer; readonly restored: Restored }>();

function findRecalled(message: Message, { chain, recalls, mayHold }: Place): Restored | undefined {
  for (const recalled of recalls) {
    if (recalled.behind !== chain) continue;
    if (isParallel(recalled) && !mayHold()) continue;
    const before = made.get(message);
    if (before?.recalled === recalled) return before.restored;
    const split = splitBlocks(message.blocks, recalled.rounds);
    if (!split) continue;
    const restored = restore(message, split, recalled);
    made.set(message, { recalled, restored });
    return restored;
  }
  return undefined;
}

function isParallel({ rounds }: RecalledAnswer): boolean {
  return (rounds.at(-1)?.calls.length ?? 0) > 0;
}

/** A message of role system stands between a call and its results without parting them. */
function hasResultsNext(messages: readonly Message[], index: number): boolean {
  let after = index + 1;
  while (messages[after]?.role === "system") after++;
  const next = messages[after];
  return next?.role === "user" && next.blocks.some(({ kind }) => kind === "toolResult");
}

/** Which blocks belong to which round, `undefined` in the place of one that the client left out. Nothing where it says something else. */
function splitBlocks(
  blocks: readonly Block[],
  rounds: readonly RecalledRound[],
): readonly (readonly (Block | undefined)[])[] | undefined {
  let next = 0;
  const split: (Block | undefined)[][] = [];
  for (const { shown } of rounds) {
    const own: (Block | undefined)[] = [];
    for (const { hash, mayBeAbsent } of shown) {
      const block = blocks[next];
      const isIt = block !== undefined && describeShown(block).hash === hash;
      if (!isIt && !mayBeAbsent) return undefined;
      own.push(isIt ? block : undefined);
      if (isIt) next++;
    }
    split.push(own);
  }
  return next === blocks.length ? split : undefined;
}

function restore(
  message: Message,
  split: readonly (readonly (Block | undefined)[])[],
  { rounds }: RecalledAnswer,
): Restored {
  const messages: Message[] = [];
  let results: readonly RecalledCall[] = [];
  for (const [index, { calls }] of rounds.entries()) {
    const blocks = addCalls(split[index] ?? [], calls);
    const isLast = index === rounds.length - 1;
    const isWhole =
      blocks.length === message.blocks.length && blocks.every((block, at) => block === message.blocks[at]);
    const id = isLast ? message.id : `${message.id}/${index}`;
    if (blocks.length > 0) messages.push(isWhole ? message : { id, role: "assistant", blocks });
    if (isLast) results = calls;
    else messages.push({ id: `${message.id}/${index}/recalled`, role: "user", blocks: calls.map(toResult) });
  }
  return { messages, results };
}

function addCalls(blocks: readonly (Block | undefined)[], calls: readonly RecalledCall[]): readonly Block[] {
  const places = [...blocks, undefined];
  return places.flatMap((block, index) => [
    ...calls.filter(({ at }) => at === index).map(toCall),
    ...(block ? [block] : []),
  ]);
}

/** Messages with results added, as objects that stay the same. */
const added = new WeakMap<Message, { readonly calls: readonly RecalledCall[]; readonly message: Message }>();

/** Before everything else: the API takes results only in front of words. */
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

/** The hashes that a request may fetch because the record of a compaction is in it, which this gateway wrote for this user. */
type ReadCarried = (request: ParsedRequest, user: string) => Promise<readonly string[]>;

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
