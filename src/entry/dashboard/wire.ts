import type { Compaction } from "../../core/event.ts";
import type { MissedUsd, MissTotal } from "../../measure/cache-miss.ts";
import type { Health } from "../../measure/health.ts";
import type { Step } from "../../measure/recording.ts";
import type { SummarySize } from "../../measure/summary-sizes.ts";
import type { Spend as Dollars } from "../../models/economics/spend.ts";
import type { ActionDetail } from "../../policy/actions/own-action.ts";
import type { PersonAdvice } from "../../policy/advice/advise-person.ts";
import type { Foldable } from "../../policy/foldable.ts";
import type { InjectionTotal } from "../../policy/injection/price-injections.ts";
import type { RecordedAccount } from "../../recorded/accounts.ts";
import type { RepeatedInjection } from "../../recorded/audit/find-repeated-injections.ts";
import type { PricedFold } from "../../recorded/judge-folds.ts";
import type { ReceiptAction } from "../../recorded/read-actions.ts";
import type { ReplayAnswer } from "../../replay/parse-answer.ts";
import type { Receipt } from "../../survive/receipt/receipt.ts";
import type { SpentPeriod } from "../person/look-around.ts";
import type { PersonLimit } from "../person/report-limits.ts";
import type { LookBackReport } from "../person/report-look-back.ts";

/**
 * Messages from the server to the page. Types only, so this file adds nothing to either bundle. JSON leaves out a field that is
 * `undefined`, which means unknown here.
 */

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
  readonly replay: ReplayStatus;
}

export interface ReplayStatus {
  readonly isRunning: boolean;
  /** From 0 to 1. */
  readonly share: number;
}

/** `fault`: allowed requests that failed because of a fault of ours. */
export type Refusals = Readonly<Record<"token" | "host" | "origin" | "method" | "fault", number>>;

export interface SessionHead {
  /** Identifies the session to this server only. */
  readonly key: string;
  readonly title: string;
  readonly project: string;
  readonly model: string;
  /** The title of the client that recorded it. */
  readonly host: string;
  readonly isSubagent: boolean;
  readonly isRunning: boolean;
  /** The time of its last request. */
  readonly lastMs: number;
}

export interface SessionsList {
  /** The days of the look back, in its words; `undefined` if nothing is recorded. */
  readonly days: string | undefined;
  readonly rows: readonly SessionRow[];
}

/** Requests and cost, without requests that are also in another file. */
export interface Spent {
  readonly requests: number;
  readonly totalUsd: number;
  readonly isAtLeast: boolean;
  /** Costs of pauses longer than the life of the prompt cache, and of all other cache rebuilds. */
  readonly pauses: MissedUsd;
  readonly rewrites: MissedUsd;
}

export interface SessionPart extends Spent {
  readonly key: string;
  readonly title: string;
  /** Of its own window. */
  readonly peakTokens: number;
  readonly compactions: number;
}

/** Its sums include its subagents. */
export interface SessionRow extends SessionHead, SessionPart {
  /** The id that every command takes. */
  readonly id: string;
  /** Within the days of the look back; `undefined` without requests in them. */
  readonly recent: Spent | undefined;
  /** From the last replay; `undefined` if it was not replayed. */
  readonly carriedUsd: number | undefined;
  readonly savedUsd: number | undefined;
  readonly windowTokens: number;
  readonly subagents: readonly SessionPart[];
}

export interface NowMessage {
  readonly atMs: number;
  /** The one thing to do of all sessions and limits; `undefined` until it is computed, and for files that are not the person's own. */
  readonly first: FirstAdvice | undefined;
  readonly sessions: readonly NowSession[];
}

export interface FirstAdvice {
  readonly advice: PersonAdvice;
  /** The session it is about; `undefined` for a limit or a budget. */
  readonly key: string | undefined;
}

export interface NowSession extends SessionHead {
  readonly requests: number;
  readonly costUsd: number;
  /** Some of it has no price, or was not recorded to its end. */
  readonly isAtLeast: boolean;
  /** The one thing to do; `undefined` until it is computed. */
  readonly advice: PersonAdvice | undefined;
  readonly health: Health;
  readonly foldable: Foldable;
  readonly series: Series;
}

/** The last days and a subscription's limits, in the sentences of the terminal's first screen. */
export interface LookBackView {
  readonly told: LookBackReport | undefined;
  readonly limits: readonly PersonLimit[];
  readonly periods: readonly SpentPeriod[];
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
  /** Names its colour in the style sheet. */
  readonly kind: string;
  readonly tokens: readonly number[];
}

/** Something that happened before a request. */
export interface Mark {
  readonly request: number;
  readonly kind: "fold" | "clear" | "compaction" | "miss";
  readonly text: string;
}

export interface SessionDetail extends SessionHead {
  readonly startMs: number | undefined;
  readonly client: string;
  readonly lines: { readonly malformed: number; readonly unknown: number };
  readonly totals: {
    readonly usd: number;
    readonly isAtLeast: boolean;
    /** Billed in this file but not part of the current conversation: subagents, or undone since. */
    readonly asideRequests: number;
    readonly cacheHit: number | undefined;
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

export interface SessionRequest extends Pick<Step, "atMs" | "model" | "contextTokens"> {
  /** From 1. */
  readonly number: number;
  readonly outputTokens: number;
  /** `undefined` without a known price. */
  readonly usd: number | undefined;
  /** The output was not recorded to its end. */
  readonly isAtLeast: boolean;
  /** Cache reads as a share of everything sent. */
  readonly cacheHit: number | undefined;
  readonly calls: readonly string[];
  readonly folds: readonly Fold[];
  readonly miss: { readonly cause: string; readonly tokens: number; readonly extraUsd: number | undefined } | undefined;
  readonly clears: number;
  readonly compaction: string | undefined;
}

export type Fold = Omit<Extract<ActionDetail, { readonly kind: "folded" }>, "kind" | "callId" | "ms"> & PricedFold;

export interface RequestBlock {
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

export interface CompactionDetail extends Pick<Compaction, "trigger" | "atMs" | "durationMs"> {
  /** From 1. */
  readonly number: number;
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
  readonly summary: (Pick<SummarySize, "characters" | "tokens"> & { readonly text: string }) | undefined;
  readonly receipt: Receipt | undefined;
  /** What hooks or the module recorded while the session ran. */
  readonly live: ReceiptAction | undefined;
}

export interface AccountRow extends Dollars, Omit<RecordedAccount, "spend"> {
  readonly key: string;
  readonly isAtLeast: boolean;
}

export interface SessionSpend extends AccountRow {
  /** `undefined` if its file is gone, so that it cannot be opened. */
  readonly session: string | undefined;
  readonly title: string;
}

export interface SpendReport {
  readonly pricesAsOf: string;
  readonly total: AccountRow;
  readonly byDay: readonly AccountRow[];
  /** The same by week, for periods with more days than a chart has room for. Its key is the Monday. */
  readonly byWeek: readonly AccountRow[];
  /** The most expensive sessions of the period, with their subagents. */
  readonly bySession: readonly SessionSpend[];
  readonly byProject: readonly AccountRow[];
  readonly byModel: readonly AccountRow[];
  /** Empty if there is only one client. */
  readonly byHost: readonly AccountRow[];
  /** The cause is in words for people. */
  readonly misses: readonly (Omit<MissTotal, "cause"> & { readonly cause: string })[];
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

/** What other policies would have cost; or why that is not known, and the command that finds out. */
export type WhatIf = Replayed | { readonly status: "none"; readonly why: string; readonly command: string };

export interface Replayed extends Omit<ReplayAnswer, "cacheLives" | "sessions" | "shortSessions"> {
  readonly status: "replayed";
}
