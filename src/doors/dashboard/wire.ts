import type { MissedUsd } from "../../measure/cache-miss.ts";
import type { Spend as Dollars } from "../../models/economics/spend.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import type { InjectionTotal } from "../../policy/injection/price-injections.ts";
import type { RecordedAccount } from "../../recorded/accounts.ts";
import type { RepeatedInjection } from "../../recorded/audit/find-repeated-injections.ts";
import type { ReceiptDeed } from "../../recorded/read-deeds.ts";
import type { ToldLookBack } from "../person/tell-look-back.ts";
import type { WhatIf } from "./what-if.ts";
import type { SessionHead } from "./wire-sessions.ts";

/** Messages from the server to the page. Types only, so this file adds nothing to either bundle. `null` means unknown. */

export interface StateMessage {
  /** Raised whenever something that a view shows has changed. */
  readonly version: number;
  readonly progress: ShownProgress;
  readonly refusals: Refusals;
}

export interface ShownProgress {
  /** `accounts`: reading what was billed. `contents`: reading what was said. */
  readonly phase: "accounts" | "contents" | "ready";
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  readonly unreadable: number;
  /** Files too large for a close look; their accounts are complete. */
  readonly accountsOnly: number;
  /** Whether this is the package's sample, because there are no sessions. */
  readonly isSample: boolean;
  readonly replay: ReplayTold;
}

export interface ReplayTold {
  readonly isRunning: boolean;
  /** From 0 to 1. */
  readonly share: number;
}

export interface Refusals {
  readonly token: number;
  readonly host: number;
  readonly origin: number;
  readonly method: number;
  /** Allowed requests that failed because of a fault of ours. */
  readonly fault: number;
}

export interface NowMessage {
  readonly atMs: number;
  readonly sessions: readonly NowSession[];
}

export interface NowSession extends SessionHead {
  readonly directory: string;
  readonly requests: number;
  readonly costUsd: number;
  /** Some of it has no price, or was not recorded to its end. */
  readonly isAtLeast: boolean;
  /** The one thing to do; `null` until it is computed. */
  readonly advice: ShownAdvice | null;
  readonly health: NowHealth;
  readonly foldable: { readonly results: number; readonly tokens: number };
  readonly series: Series;
}

export interface ShownAdvice {
  readonly sentence: string;
  /** What to type, and where; `null` if there is nothing to do. */
  readonly command: string | null;
  readonly place: "client" | "shell" | null;
  readonly savesUsd: number | null;
}

/** The last days and a subscription's limits, in the sentences of the terminal's first screen. */
export interface LookBackView {
  readonly told: ToldLookBack | null;
  readonly limits: readonly {
    readonly name: string;
    readonly text: string;
    /** `null` if only the client knows. */
    readonly usedPercent: number | null;
  }[];
}

export interface NowHealth {
  readonly level: "GREEN" | "YELLOW" | "ORANGE" | "RED";
  readonly usedTokens: number | null;
  readonly lowTokens: number | null;
  readonly highTokens: number | null;
  readonly nextTokens: number | null;
  readonly windowTokens: number;
  readonly compactionPointTokens: number;
  readonly compactionPointSource: "learned" | "setting" | "formula";
  readonly requestsToLine: number | null;
  readonly confidence: "exact" | "estimated" | "directional";
  readonly note: string;
}

/** What filled the window at each request. All lists are as long as `requests`. */
export interface Series {
  /** Request numbers, from 1. */
  readonly requests: readonly number[];
  readonly usedTokens: readonly number[];
  /** From the bottom up; their sum is `usedTokens`. */
  readonly layers: readonly ShownLayer[];
  readonly marks: readonly Mark[];
}

export interface ShownLayer {
  readonly name: string;
  readonly kind:
    | "base"
    | "tool"
    | "otherTools"
    | "input"
    | "text"
    | "thinking"
    | "prompt"
    | "attachment"
    | "reminder"
    | "unrecorded"
    | "summary"
    | "unexplained";
  readonly tokens: readonly number[];
}

/** Something that happened before a request. */
export interface Mark {
  readonly request: number;
  readonly kind: "fold" | "clear" | "compaction" | "miss";
  readonly text: string;
}

export interface SessionDetail extends SessionHead {
  readonly directory: string;
  readonly client: string;
  readonly lines: { readonly lines: number; readonly malformed: number; readonly unknown: number };
  readonly totals: {
    readonly usd: number;
    readonly isAtLeast: boolean;
    /** Billed in this file but not part of the current conversation: subagents, or undone since. */
    readonly asideRequests: number;
    readonly cacheHit: number | null;
    readonly outputTokens: number;
    /** The cost of rebuilding the cache. */
    readonly missed: MissedUsd;
    readonly foldedTokens: number;
    /** What those tokens would have cost in later requests. */
    readonly folded: MissedUsd;
  };
  readonly compactionPointTokens: number;
  readonly series: Series;
  readonly requests: readonly SessionRequest[];
}

export interface SessionRequest {
  /** From 1. */
  readonly number: number;
  readonly atMs: number | null;
  readonly model: string;
  readonly contextTokens: number;
  readonly outputTokens: number;
  /** `null` without a known price. */
  readonly usd: number | null;
  /** The output was not recorded to its end. */
  readonly isAtLeast: boolean;
  /** Cache reads as a share of everything sent. */
  readonly cacheHit: number | null;
  readonly calls: readonly string[];
  readonly folds: readonly Fold[];
  readonly miss: { readonly cause: string; readonly tokens: number; readonly extraUsd: number | null } | null;
  readonly clears: number;
  readonly compaction: string | null;
}

export interface Fold extends Omit<Extract<DeedDetail, { readonly kind: "folded" }>, "kind" | "callId" | "ms"> {
  /** Why it was made, what it saves and what it costs, in sentences. */
  readonly why: string;
  readonly breakEvenRequests: number | null;
  /** Later requests in its window, and what it saved in them so far. */
  readonly requests: number;
  readonly savedUsd: number | null;
}

export interface RequestContents {
  readonly request: number;
  readonly blocks: readonly RequestBlock[];
}

export interface RequestBlock {
  readonly index: number;
  readonly direction: "sent" | "answered";
  readonly label: string;
  readonly characters: number;
  readonly tokens: number;
  readonly start: string;
}

export interface ShownOriginal {
  readonly label: string;
  readonly text: string;
  readonly characters: number;
}

export interface CompactionDetail {
  /** From 1. */
  readonly number: number;
  readonly trigger: string;
  readonly atMs: number | null;
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly durationMs: number | null;
  readonly summary: { readonly characters: number; readonly tokens: number; readonly text: string } | null;
  readonly receipt: CompactionReceipt | null;
  /** What hooks or the module recorded while the session ran. */
  readonly live: LiveReceipt | null;
}

export interface CompactionReceipt {
  readonly held: number;
  readonly paraphrased: number;
  readonly lost: readonly {
    readonly kind: string;
    readonly text: string;
    readonly request: number;
    readonly mark: string | null;
    readonly repair: string;
  }[];
  readonly injected: string;
  readonly landing: "nothing" | "unchecked" | "landed" | "missing";
}

export type LiveReceipt = Pick<ReceiptDeed, "door" | "held" | "paraphrased" | "lost" | "landing">;

export interface AccountRow extends Dollars, Omit<RecordedAccount, "spend"> {
  readonly key: string;
  readonly isAtLeast: boolean;
}

export interface SpendReport {
  readonly pricesAsOf: string;
  readonly total: AccountRow;
  readonly byDay: readonly AccountRow[];
  readonly byProject: readonly AccountRow[];
  readonly byModel: readonly AccountRow[];
  /** Empty if there is only one client. */
  readonly byHost: readonly AccountRow[];
  readonly misses: readonly {
    /** In words for people. */
    readonly cause: string;
    readonly count: number;
    readonly tokens: number;
    readonly usd: number;
    readonly isAtLeast: boolean;
  }[];
  readonly repeated: readonly RepeatedInjection[];
  readonly injections: readonly InjectionTotal[];
  readonly results: readonly ToolResults[];
}

export interface ToolResults {
  readonly tool: string;
  readonly count: number;
  readonly totalTokens: number;
  readonly medianTokens: number;
  readonly largestTokens: number;
}

export type { WhatIf };
