import { hashMessages } from "../../../core/hash.ts";
import type { Message } from "../../../core/message.ts";
import { sumContextTokens, type Usage } from "../../../core/usage.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { splitExchanges } from "../../../layers/history/exchanges.ts";
import { advanceCacheState } from "../../../models/economics/cache-state.ts";
import { nobodyWaits, type Waiting } from "../../../models/economics/waiting.ts";
import { findModel } from "../../../models/find-model.ts";
import type { SessionFacts } from "../store/gateway-store.ts";

/** For JSON schemas and prose together. */
const BYTES_PER_TOKEN = 3.6;

export interface Unknown {
  readonly view: readonly Message[];
  readonly model: string;
  readonly nowMs: number;
  readonly baseBytes: number;
  readonly weigh: (messages: readonly Message[]) => number;
}

/**
 * Assumptions about a conversation that this instance has not seen: everything before its newest exchange was
 * sent a moment ago and is cached. If that is wrong, it costs a saving; the opposite error would cost a rewrite.
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

/** Whether facts can be about this conversation: the last sent message has the same content now as then, as far as can be seen. */
export function isAbout(facts: SessionFacts, messages: readonly Message[]): boolean {
  const last = messages.findLast(({ id }) => id === facts.lastSentMessage);
  return !last || facts.lastSentHash === "" || facts.lastSentHash === hashMessages([last], sha256);
}

/**
 * The first message that was never sent: after the last sent one, and never before the model's newest answer. Each
 * answer followed a request, so everything before it was sent, whatever another instance has yet to write down.
 */
export function findNew(view: readonly Message[], lastSentMessage: string): number {
  const newest = splitExchanges(view).at(-1)?.first ?? 0;
  const from = view[newest]?.role === "assistant" ? newest : 0;
  const sent = lastSentMessage === "" ? -1 : view.findLastIndex(({ id }) => id === lastSentMessage);
  return Math.max(from, sent + 1);
}

export interface Sent {
  readonly facts: SessionFacts;
  readonly messages: readonly Message[];
  readonly view: readonly Message[];
  readonly viewTokens: number;
  readonly waiting: Waiting;
  readonly model: string;
  readonly atMs: number;
  readonly usage: Usage;
  /** Includes the pause before this request. */
  readonly outlived: number;
}

/** How many pauses were longer than the cache life of system prompt and tools, including the one before a request at this time. */
export function countOutlived({ cache, outlived }: SessionFacts, nowMs: number, model: string): number {
  const { cachedTokens, cached1hTokens, lastUsedMs } = cache;
  if (cachedTokens === 0 || lastUsedMs === undefined || model !== cache.model) return outlived;
  const { short, long } = findModel(model).cacheLifeMs;
  return nowMs - lastUsedMs > (cached1hTokens > 0 ? long : short) ? outlived + 1 : outlived;
}

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
