import type { Edit } from "../../../core/edit.ts";
import type { Ledger } from "../../../core/layer.ts";
import type { Usage } from "../../../core/usage.ts";
import type { StoreResult } from "../../../files/artifacts/store-result.ts";
import type { Original } from "../../../layers/history/originals.ts";
import type { CacheState } from "../../../models/economics/cache-state.ts";
import type { Waiting } from "../../../models/economics/waiting.ts";
import type { ShareUse } from "../limits/grant-use.ts";
import type { RecalledAnswer } from "../recall/round.ts";

/** A decision as it is kept. */
export type KeptEdit = Edit & {
  /** The model's answer behind which it was made, where the client does not name its conversation: it counts only there. */
  readonly after?: string;
  /** The whole hashes of the originals that were kept with it: handles show twelve digits, which two originals may share. */
  readonly originals?: readonly string[];
};

/** What the ledger of a conversation is made of, in the order in which it happened. */
export type LedgerItem = KeptEdit | RecalledAnswer;

/** What is kept of one conversation, and how far it was read: a store that knows the version reads nothing again. */
export interface KnownLedger extends Ledger {
  readonly decisions: readonly KeptEdit[];
  /** What the model fetched back, which the client knows nothing of. */
  readonly recalls: readonly RecalledAnswer[];
  readonly version: number;
}

export const noLedger: KnownLedger = { decisions: [], recalls: [], version: 0 };

/** The identical lists where nothing of their kind was added. */
export function addItems(known: KnownLedger, items: readonly LedgerItem[], version: number): KnownLedger {
  const recalls = items.filter((item) => item.kind === "recalled");
  const decisions = items.filter((item) => item.kind !== "recalled");
  return {
    decisions: decisions.length === 0 ? known.decisions : [...known.decisions, ...decisions],
    recalls: recalls.length === 0 ? known.recalls : [...known.recalls, ...recalls],
    version,
  };
}

/** Names become paths and parts of statements: whatever is none gets no further. */
export function requireSession(session: string): void {
  if (!/^[0-9a-f]{32}$/.test(session)) throw new TypeError("a session's name must be 32 hexadecimal digits");
}

/** A ledger that nobody else adds to until it is released. */
export interface HeldLedger {
  readonly ledger: KnownLedger;
  /** Not held where somebody else would not let go of it: then what it says is done, and nothing new decided. */
  readonly isHeld: boolean;
  release(): void;
}

/** What pricing needs to know of a conversation between its requests. Losing it costs money, never a byte. */
export interface SessionFacts {
  readonly cache: CacheState;
  readonly requests: number;
  readonly waiting: Waiting;
  /** System prompt and tools, as the last answer's usage tells. */
  readonly baseTokens: number;
  /** The last message that was sent, and the hash of what it said as the client wrote it; empty where nobody knows. */
  readonly lastSentMessage: string;
  readonly lastSentHash: string;
  /** How many pauses were longer than system prompt and tools lay in the cache. */
  readonly outlived: number;
}

/** One request, for the accounts. Never contents, never headers. */
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
  /** How many of them each layer made. */
  readonly editsByLayer: Readonly<Record<string, number>>;
  readonly replayed: number;
  /** Earlier decisions that were not done again, because what they replaced is not what it was. */
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
 * What instances of a gateway share. Everything may fail: whoever calls sends the request all the same. Two instances that
 * decide for one conversation meet in `holdLedger`, where the second waits for the first, and, where a store cannot have
 * anybody wait, in `appendDecisions`, which tells the second to look again.
 */
export interface GatewayStore {
  /** The identical value where nothing was added since. */
  readLedger(session: string, known?: KnownLedger): Promise<KnownLedger>;
  /** Reads it to decide: from here to `release` as far as the store can lock. */
  holdLedger(session: string, known?: KnownLedger): Promise<HeldLedger>;
  /** One at a time for each conversation. `undefined` where somebody else has decided since `known`: read, replay, plan again. */
  appendDecisions(session: string, items: readonly LedgerItem[], known: KnownLedger): Promise<KnownLedger | undefined>;
  /** Before anything leaves a conversation. */
  keepOriginals(originals: readonly Original[]): Promise<void>;
  /** By its handle, or by its whole hash. */
  readOriginal(handle: string): Promise<string | undefined>;
  readFacts(session: string): Promise<SessionFacts | undefined>;
  /** Written soon: the request does not wait for it. */
  saveFacts(session: string, facts: SessionFacts): void;
  note(entry: JournalEntry): void;
  /** People's limits over all instances; only where instances can be told apart from each other. */
  readonly shareUse?: ShareUse;
  /** Whether an error says that the store cannot be reached now, and may be in a moment; none of them does where it is left out. */
  isAway?(this: void, error: unknown): boolean;
  /** Facts and journal entries that could not be written, so far. */
  lost(): number;
  /** Throws where nothing could be kept now. */
  check(): Promise<void>;
  /** Writes what still waits. */
  close(): Promise<void>;
}

export interface StoredOriginal {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** A database that instances share, known by the beginning of its address. What a name does not match is a folder. */
export interface SharedStore {
  /** As a person is told of it; the address may hold a password. */
  readonly title: string;
  readonly address: RegExp;
  open(name: string): Promise<GatewayStore>;
  /** How many steps it took to bring it to the newest schema. */
  migrate(name: string): Promise<number>;
  /** Rejects where it cannot be asked. */
  readOriginal(name: string, handle: string): Promise<StoreResult<StoredOriginal>>;
}

/** The same store; `count` hears of every operation that failed, by its name. Who waits for it decides what that means. */
export function watchStore(store: GatewayStore, count: (operation: string) => void): GatewayStore {
  const watch = async <Value>(operation: string, doing: () => Promise<Value>): Promise<Value> => {
    try {
      return await doing();
    } catch (error) {
      count(operation);
      throw error;
    }
  };
  const { shareUse } = store;
  return {
    ...store,
    ...(shareUse && { shareUse: (asks) => watch("share_use", () => shareUse(asks)) }),
    readLedger: (session, known) => watch("read_ledger", () => store.readLedger(session, known)),
    holdLedger: (session, known) => watch("hold_ledger", () => store.holdLedger(session, known)),
    appendDecisions: (session, decisions, known) =>
      watch("append_decisions", () => store.appendDecisions(session, decisions, known)),
    keepOriginals: (originals) => watch("keep_originals", () => store.keepOriginals(originals)),
    readOriginal: (handle) => watch("read_original", () => store.readOriginal(handle)),
    readFacts: (session) => watch("read_facts", () => store.readFacts(session)),
    check: () => watch("check", () => store.check()),
  };
}
