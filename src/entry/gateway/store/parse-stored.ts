import { isTextList, parseKeptEdit } from "../../../core/edit.ts";
import { isObject, numberField, textField } from "../../../core/json.ts";
import { emptyCacheState } from "../../../models/economics/cache-state.ts";
import type { RecalledAnswer } from "../recall/round.ts";
import type { LedgerItem, SessionFacts } from "./gateway-store.ts";

interface ParsedItems {
  readonly items: readonly LedgerItem[];
  /** How many were not understood. A newer version may have stored them: each is skipped alone, and those next to it count. */
  readonly skipped: number;
}

export function parseItems(value: unknown): ParsedItems {
  if (!Array.isArray(value)) return { items: [], skipped: 1 };
  const items = value.flatMap(parseItem);
  return { items, skipped: value.length - items.length };
}

function parseItem(value: unknown): readonly LedgerItem[] {
  const item = isRecalled(value) ? value : parseKeptEdit(value);
  return item === undefined ? [] : [item];
}

function isRecalled(value: unknown): value is RecalledAnswer {
  if (!isObject(value) || value.kind !== "recalled" || typeof value.behind !== "string") return false;
  return Array.isArray(value.rounds) && value.rounds.every(isRound);
}

function isRound(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value.shown) || !Array.isArray(value.calls)) return false;
  return (
    value.shown.every((shown) => isObject(shown) && typeof shown.hash === "string") && value.calls.every(isRecalledCall)
  );
}

function isRecalledCall(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.input) || !Array.isArray(value.parts)) return false;
  if (typeof value.at !== "number" || typeof value.callId !== "string" || typeof value.tool !== "string") return false;
  if (value.needs !== undefined && !isTextList(value.needs)) return false;
  return value.parts.every((part) => isObject(part) && (part.kind !== "text" || typeof part.text === "string"));
}

export function parseFacts(value: unknown): SessionFacts | undefined {
  if (!isObject(value) || !isObject(value.cache)) return undefined;
  const { cache } = value;
  const [requests, baseTokens] = [numberField(value, "requests"), numberField(value, "baseTokens")];
  if (requests === undefined || baseTokens === undefined || typeof value.lastSentMessage !== "string") return undefined;
  return {
    cache: {
      model: textField(cache, "model"),
      cachedTokens: numberField(cache, "cachedTokens") ?? 0,
      cached1hTokens: numberField(cache, "cached1hTokens") ?? 0,
      cached5mTokens: numberField(cache, "cached5mTokens") ?? 0,
      ttlMs: numberField(cache, "ttlMs") || emptyCacheState.ttlMs,
      lastUsedMs: numberField(cache, "lastUsedMs"),
      share1h: numberField(cache, "share1h") ?? 0,
    },
    requests,
    baseTokens,
    lastSentMessage: value.lastSentMessage,
    lastSentHash: textField(value, "lastSentHash"),
    outlived: numberField(value, "outlived") ?? 0,
  };
}
