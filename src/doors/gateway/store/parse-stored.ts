import { emptyCacheState } from "../../../models/economics/cache-state.ts";
import { isRecord } from "../../../wire/is-json.ts";
import type { RecalledAnswer } from "../recall/round.ts";
import type { KeptEdit, LedgerItem, SessionFacts } from "./gateway-store.ts";

/** Stored items. A decision that this version does not know is carried along and refused when it is applied. */
export function parseItems(value: unknown): readonly LedgerItem[] | undefined {
  const items = Array.isArray(value) ? value.map(bindOlder) : undefined;
  return items?.every(isItem) ? items : undefined;
}

function isItem(value: unknown): value is LedgerItem {
  return isRecalled(value) || isDecision(value);
}

function isRecalled(value: unknown): value is RecalledAnswer {
  if (!isRecord(value) || value.kind !== "recalled" || typeof value.behind !== "string") return false;
  return Array.isArray(value.rounds) && value.rounds.every(isRound);
}

function isRound(value: unknown): boolean {
  if (!isRecord(value) || !Array.isArray(value.shown) || !Array.isArray(value.calls)) return false;
  return (
    value.shown.every((shown) => isRecord(shown) && typeof shown.hash === "string") &&
    value.calls.every(
      (call) =>
        isRecord(call) &&
        typeof call.at === "number" &&
        typeof call.callId === "string" &&
        typeof call.tool === "string" &&
        isRecord(call.input) &&
        (call.needs === undefined || isTexts(call.needs)) &&
        Array.isArray(call.parts) &&
        call.parts.every((part) => isRecord(part) && (part.kind !== "text" || typeof part.text === "string")),
    )
  );
}

/** Older versions did not store what an edit replaces. Nothing has an empty hash, so such a decision is dropped and counted. */
function bindOlder(value: unknown): unknown {
  return isRecord(value) && value.kind !== "recalled" && value.replaces === undefined
    ? { ...value, replaces: "" }
    : value;
}

function isDecision(value: unknown): value is KeptEdit {
  if (!isRecord(value) || typeof value.by !== "string" || typeof value.reason !== "string") return false;
  if (typeof value.replaces !== "string" || !Array.isArray(value.handles)) return false;
  if (value.after !== undefined && typeof value.after !== "string") return false;
  if (value.originals !== undefined && !isTexts(value.originals)) return false;
  if (value.restsOn !== undefined && !Array.isArray(value.restsOn)) return false;
  return value.kind === "replaceBlock"
    ? typeof value.block === "string" && isRecord(value.content)
    : typeof value.first === "string" && typeof value.last === "string" && Array.isArray(value.messages);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

export function parseFacts(value: unknown): SessionFacts | undefined {
  if (!isRecord(value) || !isRecord(value.cache) || !isRecord(value.waiting)) return undefined;
  const { cache, waiting, requests, baseTokens, lastSentMessage, lastSentHash, outlived } = value;
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
    outlived: typeof outlived === "number" ? outlived : 0,
  };
}
