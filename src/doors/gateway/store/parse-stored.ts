import { emptyCacheState } from "../../../models/economics/cache-state.ts";
import { isRecord } from "../../../wire/is-json.ts";
import type { Decision, SessionFacts } from "./gateway-store.ts";

/** Decisions as they were stored; what this version does not know is carried along and refused where it is applied. */
export function parseDecisions(value: unknown): readonly Decision[] | undefined {
  const decisions = Array.isArray(value) ? value.map(bindOlder) : undefined;
  return decisions?.every(isDecision) ? decisions : undefined;
}

/** Older versions did not say what an edit replaces. Nothing has an empty hash: such a decision is dropped, and counted. */
function bindOlder(value: unknown): unknown {
  return isRecord(value) && value.replaces === undefined ? { ...value, replaces: "" } : value;
}

function isDecision(value: unknown): value is Decision {
  if (!isRecord(value) || typeof value.by !== "string" || typeof value.reason !== "string") return false;
  if (typeof value.replaces !== "string" || !Array.isArray(value.handles)) return false;
  if (value.after !== undefined && typeof value.after !== "string") return false;
  if (value.restsOn !== undefined && !Array.isArray(value.restsOn)) return false;
  return value.kind === "replaceBlock"
    ? typeof value.block === "string" && isRecord(value.content)
    : typeof value.first === "string" && typeof value.last === "string" && Array.isArray(value.messages);
}

export function parseFacts(value: unknown): SessionFacts | undefined {
  if (!isRecord(value) || !isRecord(value.cache) || !isRecord(value.waiting)) return undefined;
  const { cache, waiting, requests, baseTokens, lastSentMessage, lastSentHash } = value;
  if (typeof requests !== "number" || typeof baseTokens !== "number" || typeof lastSentMessage !== "string")
    return undefined;
  const number = (key: string): number => {
    const found = cache[key];
    return typeof found === "number" ? found : 0;
  };
  return {
    cache: {
      model: typeof cache.model === "string" ? cache.model : "",
      cachedTokens: number("cachedTokens"),
      cached1hTokens: number("cached1hTokens"),
      cached5mTokens: number("cached5mTokens"),
      ttlMs: number("ttlMs") || emptyCacheState.ttlMs,
      lastUsedMs: typeof cache.lastUsedMs === "number" ? cache.lastUsedMs : undefined,
      share1h: number("share1h"),
    },
    requests,
    waiting: Object.fromEntries(
      Object.entries(waiting).flatMap(([key, count]) => (typeof count === "number" ? [[key, count]] : [])),
    ),
    baseTokens,
    lastSentMessage,
    lastSentHash: typeof lastSentHash === "string" ? lastSentHash : "",
  };
}
