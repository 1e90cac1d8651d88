import { hashMessages } from "../../../core/hash.ts";
import type { Message } from "../../../core/message.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { splitExchanges } from "../../../layers/history/exchanges.ts";
import { advanceCacheState, type CachingRequest } from "../../../models/economics/cache-state.ts";
import { findModel } from "../../../models/find-model.ts";
import type { RequestPlanner } from "../plan-request.ts";
import type { SessionFacts } from "../store/gateway-store.ts";
import type { ReplayedView } from "./replay-view.ts";
import type { RequestFields } from "./request-fields.ts";

/** For JSON schemas and prose together. */
const BYTES_PER_TOKEN = 3.6;

/** For a conversation that this instance has not seen, all but its newest exchange counts as just cached: the opposite error would cost a rewrite. */
export function assumeFacts(
  view: readonly Message[],
  { model, baseBytes }: Pick<RequestFields, "model" | "baseBytes">,
  { weigh }: Pick<RequestPlanner, "weigh">,
  nowMs: number,
): SessionFacts {
  const baseTokens = Math.round(baseBytes / BYTES_PER_TOKEN);
  const from = findNew(view, "");
  const sent = view.slice(0, from);
  const cachedTokens = from === 0 ? 0 : baseTokens + weigh(sent, model);
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

/** How many pauses were longer than the cache life of system prompt and tools, including the one before a request at this time. */
export function countOutlived({ cache, outlived }: SessionFacts, nowMs: number, model: string): number {
  const { cachedTokens, cached1hTokens, lastUsedMs } = cache;
  if (cachedTokens === 0 || lastUsedMs === undefined || model !== cache.model) return outlived;
  const { short, long } = findModel(model).cacheLifeMs;
  return nowMs - lastUsedMs > (cached1hTokens > 0 ? long : short) ? outlived + 1 : outlived;
}

type Sent = CachingRequest &
  Pick<ReplayedView, "messages" | "view"> &
  Pick<SessionFacts, "outlived"> & { readonly viewTokens: number };

/** The facts after a request and its answer. Its `outlived` includes the pause before this request. */
export function advanceFacts(facts: SessionFacts, sent: Sent): SessionFacts {
  const { messages, view, viewTokens, outlived } = sent;
  const contextTokens = sumContextTokens(sent.usage);
  const lastSentMessage = view.at(-1)?.id ?? "";
  const last = messages.findLast(({ id }) => id === lastSentMessage);
  return {
    cache: advanceCacheState(facts.cache, sent),
    requests: facts.requests + 1,
    baseTokens: contextTokens > 0 ? Math.max(0, Math.round(contextTokens - viewTokens)) : facts.baseTokens,
    lastSentMessage,
    lastSentHash: last ? hashMessages([last], sha256) : "",
    outlived,
  };
}
