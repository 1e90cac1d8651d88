import { isTextList, type KeptEdit, parseKeptEdit } from "../../../core/edit.ts";
import { isObject, numberField, textField } from "../../../core/json.ts";
import type { Ledger } from "../../../core/layer.ts";
import type { Usage } from "../../../core/usage.ts";
import type { Original } from "../../../layers/history/originals.ts";
import { type CacheState, emptyCacheState } from "../../../models/economics/cache-state.ts";
import type { ShareUse } from "../limits/fleet-limits.ts";
import type { RecalledAnswer } from "../recall/round.ts";

export type LedgerItem = KeptEdit | RecalledAnswer;

/** What is stored of one conversation, and how far it was read: a store that knows the version reads nothing twice. */
export interface KnownLedger extends Ledger {
  readonly decisions: readonly KeptEdit[];
  /** What the model fetched back; the client does not know of it. */
  readonly recalls: readonly RecalledAnswer[];
  readonly version: number;
  /** How many stored items this version does not understand. */
  readonly skipped: number;
}

export const noLedger: KnownLedger = { decisions: [], recalls: [], version: 0, skipped: 0 };

/** Returns the identical lists if nothing of their kind was added. */
export function addItems(
  known: KnownLedger,
  items: readonly LedgerItem[],
  version: number,
  skipped: number = 0,
): KnownLedger {
  const recalls = items.filter((item) => item.kind === "recalled");
  const decisions = items.filter((item) => item.kind !== "recalled");
  return {
    decisions: decisions.length === 0 ? known.decisions : [...known.decisions, ...decisions],
    recalls: recalls.length === 0 ? known.recalls : [...known.recalls, ...recalls],
    version,
    skipped: known.skipped + skipped,
  };
}

/** Names become parts of paths and statements, so anything else is rejected. */
export function requireSession(session: string): void {
  if (!/^[0-9a-f]{32}$/.test(session)) throw new TypeError("a session's name must be 32 hexadecimal digits");
}

export interface HeldLedger {
  readonly ledger: KnownLedger;
  /** False if another instance did not release it: its decisions are replayed, and nothing new is decided. */
  readonly isHeld: boolean;
  release(): void;
}

/** What pricing needs to know of a conversation between its requests. Losing it costs money, never a byte. */
export interface SessionFacts {
  readonly cache: CacheState;
  readonly requests: number;
  /** Tokens of system prompt and tools, from the last answer's usage. */
  readonly baseTokens: number;
  /** The last message that was sent, and the hash of its content as the client wrote it; empty if unknown. */
  readonly lastSentMessage: string;
  readonly lastSentHash: string;
  /** How many pauses were longer than the cache life of system prompt and tools. */
  readonly outlived: number;
}

/** One request, for the journal. Never contents, never headers. */
export interface JournalEntry {
  readonly atMs: number;
  readonly session: string;
  readonly user: string;
  readonly model: string;
  readonly route: string;
  readonly status: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly edits: number;
  readonly editsByLayer: Readonly<Record<string, number>>;
  readonly replayed: number;
  /** Earlier decisions that were not applied, because what they replaced has changed. */
  readonly dropped: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly planMs: number;
  readonly firstByteMs: number;
  /** From the whole request to the end of its answer. */
  readonly durationMs: number;
  readonly incidents: readonly string[];
  readonly usage: Usage | undefined;
}

/**
 * What instances of a gateway share. Everything may fail; the caller sends the request all the same. Two
 * instances that decide for one conversation meet in `holdLedger`, where the second waits for the first.
 * A store without locks detects the conflict in `appendDecisions`, which makes the second read again.
 */
export interface GatewayStore {
  /** Returns the identical value if nothing was added since. */
  readLedger(session: string, known?: KnownLedger): Promise<KnownLedger>;
  /** Reads it in order to decide, locked until `release` if the store has locks. */
  holdLedger(session: string, known?: KnownLedger): Promise<HeldLedger>;
  /** One at a time for each conversation. `undefined` if another instance has decided since `known`: read, replay, plan again. */
  appendDecisions(session: string, items: readonly LedgerItem[], known: KnownLedger): Promise<KnownLedger | undefined>;
  /** To be called before anything is removed from a conversation. */
  keepOriginals(originals: readonly Original[]): Promise<void>;
  /** By its handle, or by its full hash. */
  readOriginal(handle: string): Promise<string | undefined>;
  readFacts(session: string): Promise<SessionFacts | undefined>;
  /** Written later: the request does not wait for it. */
  saveFacts(session: string, facts: SessionFacts): void;
  note(entry: JournalEntry): void;
  /** People's limits over all instances; only for stores that can tell instances apart. */
  readonly shareUse?: ShareUse;
  /** Whether an error means that the store cannot be reached now but may be in a moment; default: never. */
  isAway?(this: void, error: unknown): boolean;
  lost(): number;
  /** Throws if nothing can be stored now, or if something still waits to be. */
  check(): Promise<void>;
  /** Writes everything that is pending. */
  close(): Promise<void>;
}

/** The same store; `count` receives the name of every operation that failed. The caller decides what a failure means. */
export function watchStore(store: GatewayStore, count: (operation: string) => void): GatewayStore {
  const watch =
    <Given extends readonly unknown[], Value>(operation: string, act: (...given: Given) => Promise<Value>) =>
    async (...given: Given): Promise<Value> => {
      try {
        return await act(...given);
      } catch (error) {
        count(operation);
        throw error;
      }
    };
  const watchSkipped = (ledger: KnownLedger, known: KnownLedger = noLedger): KnownLedger => {
    for (let skipped = known.skipped; skipped < ledger.skipped; skipped++) count("parse_decision");
    return ledger;
  };
  const readLedger: GatewayStore["readLedger"] = async (session, known) =>
    watchSkipped(await store.readLedger(session, known), known);
  const holdLedger: GatewayStore["holdLedger"] = async (session, known) => {
    const held = await store.holdLedger(session, known);
    watchSkipped(held.ledger, known);
    return held;
  };
  return {
    ...store,
    ...(store.shareUse && { shareUse: watch("share_use", store.shareUse) }),
    readLedger: watch("read_ledger", readLedger),
    holdLedger: watch("hold_ledger", holdLedger),
    appendDecisions: watch("append_decisions", store.appendDecisions),
    keepOriginals: watch("keep_originals", store.keepOriginals),
    readOriginal: watch("read_original", store.readOriginal),
    readFacts: watch("read_facts", store.readFacts),
    check: watch("check", store.check),
  };
}

/** `skipped` were not understood. A newer version may have stored them: each is skipped alone, and those next to it count. */
export function parseItems(value: unknown): { readonly items: readonly LedgerItem[]; readonly skipped: number } {
  if (!Array.isArray(value)) return { items: [], skipped: 1 };
  const items = value.flatMap((item) => (isRecalled(item) ? item : (parseKeptEdit(item) ?? [])));
  return { items, skipped: value.length - items.length };
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
