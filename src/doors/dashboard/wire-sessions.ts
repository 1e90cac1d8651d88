import type { MissedUsd } from "../../measure/cache-miss.ts";

/** Lists of sessions, from the server to the page. Types only, as in `wire.ts`. */

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
  readonly startMs: number | null;
  /** The time of its last request. */
  readonly lastMs: number;
}

export interface SessionsList {
  /** The days of the look back, in its words; `null` if nothing is recorded. */
  readonly days: string | null;
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
}

/** Its sums include its subagents. */
export interface SessionRow extends SessionHead, Spent {
  /** The id that every command takes. */
  readonly id: string;
  /** Within the days of the look back; `null` without requests in them. */
  readonly recent: Spent | null;
  /** From the last replay; `null` if it was not replayed. */
  readonly carriedUsd: number | null;
  readonly savedUsd: number | null;
  readonly peakTokens: number;
  readonly windowTokens: number;
  readonly compactions: number;
  readonly subagents: readonly SessionPart[];
}
