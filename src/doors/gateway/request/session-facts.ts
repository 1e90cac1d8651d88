import { hashMessages } from "../../../core/hash.ts";
import type { Message } from "../../../core/message.ts";
import { sumContextTokens, type Usage } from "../../../core/usage.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { splitExchanges } from "../../../layers/history/exchanges.ts";
import { advanceCacheState } from "../../../models/economics/cache-state.ts";
import { nobodyWaits, type Waiting } from "../../../models/economics/waiting.ts";
import { findModel } from "../../../models/find-model.ts";
import type { SessionFacts } from "../store/gateway-store.ts";

/** JSON of schemas and prose together. */
const BYTES_PER_TOKEN = 3.6;

export interface Unknown {
  readonly view: readonly Message[];
  readonly model: string;
  readonly nowMs: number;
  readonly baseBytes: number;
  readonly weigh: (messages: readonly Message[]) => number;
}

/**
 * What to take for granted about a conversation that nobody here has seen: everything before its newest exchange was sent a
 * moment ago, by whomever, and lies in the cache. Wrong, it costs a saving; the other way round it would cost a rewriting.
 */
export function assumeFacts({ view, model, nowMs, baseBytes, weigh }: Unknown): SessionFacts {
  const baseTokens = Math.round(baseBytes / BYTES_PER_TOKEN);
  const from = findNew(view, "");
  const sent = view.slice(0, from);
  const cachedTokens = from === 0 ? 0 : baseTokens + weigh(sent);
  return {
    cache: {
      model,
      cachedTokens,
      cached1hTokens: 0,
      cached5mTokens: cachedTokens,
      ttlMs: findModel(model).cacheLifeMs.short,
      lastUsedMs: nowMs,
      share1h: 0,
    },
    requests: 0,
    waiting: nobodyWaits,
    baseTokens,
    lastSentMessage: sent.at(-1)?.id ?? "",
    lastSentHash: "",
    outlived: 0,
  };
}

/** Whether facts may be about this conversation: what was sent last says here what it said then, as far as anybody can tell. */
export function isAbout(facts: SessionFacts, messages: readonly Message[]): boolean {
  const last = messages.findLast(({ id }) => id === facts.lastSentMessage);
  return !last || facts.lastSentHash === "" || facts.lastSentHash === hashMessages([last], sha256);
}

/**
 * The first message that was never sent: behind the last one that was, and never before the model's newest answer. Each answer
 * came to a request, so all before it was sent, whatever another instance has yet to write down.
 */
export function findNew(view: readonly Message[], lastSentMessage: string): number {
  const newest = splitExchanges(view).at(-1)?.first ?? 0;
  const from = view[newest]?.role === "assistant" ? newest : 0;
  const sent = lastSentMessage === "" ? -1 : view.findLastIndex(({ id }) => id === lastSentMessage);
  return Math.max(from, sent + 1);
}

export interface Sent {
  readonly facts: SessionFacts;
  /** As the client wrote them. */
  readonly messages: readonly Message[];
  readonly view: readonly Message[];
  readonly viewTokens: number;
  readonly waiting: Waiting;
  readonly model: string;
  readonly atMs: number;
  readonly usage: Usage;
  /** With the pause before this request. */
  readonly outlived: number;
}

/** The pauses that system prompt and tools did not outlive in the cache, the one before a request at this time among them. */
export function countOutlived({ cache, outlived }: SessionFacts, nowMs: number, model: string): number {
  const { cachedTokens, cached1hTokens, lastUsedMs } = cache;
  if (cachedTokens === 0 || lastUsedMs === undefined || model !== cache.model) return outlived;
  const { short, long } = findModel(model).cacheLifeMs;
  return nowMs - lastUsedMs > (cached1hTokens > 0 ? long : short) ? outlived + 1 : outlived;
}

/** After a request that the API has answered. */
export function advanceFacts(sent: Sent): SessionFacts {
  const { facts, messages, view, viewTokens, waiting, model, atMs, usage, outlived } = sent;
  const contextTokens = sumContextTokens(usage);
  const lastSentMessage = view.at(-1)?.id ?? "";
  const last = messages.findLast(({ id }) => id === lastSentMessage);
  return {
    cache: advanceCacheState(facts.cache, { model, atMs, usage }),
    requests: facts.requests + 1,
    waiting,
    baseTokens: contextTokens > 0 ? Math.max(0, Math.round(contextTokens - viewTokens)) : facts.baseTokens,
    lastSentMessage,
    lastSentHash: last ? hashMessages([last], sha256) : "",
    outlived,
  };
}
