import type { JsonObject } from "../core/json.ts";
import type { Block, Message } from "../core/message.ts";
import type { Usage } from "../core/usage.ts";
import type { CallVocabulary } from "../layers/history/vocabulary.ts";
import type { Tokenizer } from "../models/tokens.ts";

/** One request of a recorded session: what joined the conversation before it, and its answer. */
export interface ReplayStep {
  readonly atMs: number;
  readonly model: string;
  /** The previous answer, then what arrived: results, prompts, reminders. */
  readonly joined: readonly Message[];
  readonly outputs: readonly Block[];
  readonly outputTokens: number;
  /** Share of this request's cache writes with the long lifetime. */
  readonly share1h: number;
  readonly usage: Usage;
}

export interface RecordedCompaction {
  /** The first request after it. */
  readonly step: number;
  /** `manual` if a person asked for it; otherwise the client had reached its limit. */
  readonly trigger: string;
  /** The summary, then what the client put back after it. */
  readonly messages: readonly Message[];
  readonly summaryTokens: number;
  readonly durationMs: number | undefined;
}

/** A recorded session ready for replay: joined across compactions, every block weighed. */
export interface ReplaySession {
  readonly name: string;
  /** Where it was recorded, if it was. */
  readonly file?: string | undefined;
  readonly steps: readonly ReplayStep[];
  /** System prompt, tools and instructions, which every request carries. */
  readonly baseTokens: number;
  readonly windowTokens: number;
  readonly tokenizer: Tokenizer;
  /** The session's folder: paths below it are the same with and without it. */
  readonly root: string;
  readonly vocabulary: CallVocabulary;
  readonly compactions: readonly RecordedCompaction[];
  readonly restoresFiles?: boolean;
  /** Sizes of the recorded blocks, scaled so that they sum to the recorded usage. */
  readonly weights: ReadonlyMap<Block, number>;
  /** The client's name for the kind of an attachment, by the block that it became. */
  readonly labels: ReadonlyMap<Block, string>;
  /** The tool's own answer that the client recorded in addition to a result's text, by call. */
  readonly details: ReadonlyMap<string, JsonObject>;
}

/** Why a session cannot be replayed; it is named in the report and is in no total. */
export type LeftOut = Readonly<Record<"name" | "why", string>>;
