import type { MissedUsd } from "../../measure/cache-miss.ts";

/** What the server tells of sessions in a list. Types alone, as in `wire.ts`. */

export interface SessionHead {
  /** Names the session to this server and to nobody else. */
  readonly key: string;
  readonly title: string;
  readonly project: string;
  readonly model: string;
  /** The client that recorded it, as people call it. */
  readonly host: string;
  readonly isSubagent: boolean;
  readonly isRunning: boolean;
  readonly startMs: number | null;
  /** Of its last request. */
  readonly lastMs: number;
}

export interface SessionsList {
  /** The days that the look back goes over, in its words; `null` where nothing is recorded. */
  readonly days: string | null;
  readonly rows: readonly SessionRow[];
}

/** What was asked and paid, whatever another file holds too left out. */
export interface Spent {
  readonly requests: number;
  readonly totalUsd: number;
  readonly isAtLeast: boolean;
  /** For pauses that outlived the prompt cache, and for every other reason to write cached text again. */
  readonly pauses: MissedUsd;
  readonly rewrites: MissedUsd;
}

export interface SessionPart extends Spent {
  readonly key: string;
  readonly title: string;
}

/** Its sums are over its subagents, too. */
export interface SessionRow extends SessionHead, Spent {
  /** As every command takes it. */
  readonly id: string;
  /** Of the days that the look back goes over; `null` where nothing was asked in them. */
  readonly recent: Spent | null;
  /** By the last replay; `null` where it was not replayed. */
  readonly carriedUsd: number | null;
  readonly savedUsd: number | null;
  readonly peakTokens: number;
  readonly windowTokens: number;
  readonly compactions: number;
  readonly subagents: readonly SessionPart[];
}
