import type { JsonObject } from "../core/json.ts";
import type { Block, Message } from "../core/message.ts";
import type { Usage } from "../core/usage.ts";
import type { CallVocabulary } from "../layers/history/vocabulary.ts";
import type { Tokenizer } from "../models/tokens.ts";

/** One request of a recorded session: what joined the conversation before it, and what it answered. */
export interface ReplayStep {
  readonly atMs: number;
  readonly model: string;
  /** The answer before it, then what arrived: results, prompts, reminders. */
  readonly joined: readonly Message[];
  readonly outputs: readonly Block[];
  readonly outputTokens: number;
  /** How much of what this request wrote into the cache was for the long life time. */
  readonly share1h: number;
  readonly usage: Usage;
}

/** A compaction as the client made it: what stood in the place of the history from then on. */
export interface RecordedCompaction {
  /** The first request after it. */
  readonly step: number;
  /** `manual` where a person asked for it; otherwise the client had come to its line. */
  readonly trigger: string;
  /** The summary, then what the client put back beside it. */
  readonly messages: readonly Message[];
  readonly summaryTokens: number;
  readonly durationMs: number | undefined;
}

/** A recorded session made ready: joined across compactions, every block weighed. */
export interface ReplaySession {
  readonly name: string;
  readonly steps: readonly ReplayStep[];
  /** System prompt, tools, instructions: what every request carries whatever was said. */
  readonly baseTokens: number;
  readonly windowTokens: number;
  readonly tokenizer: Tokenizer;
  /** Where the session ran: paths below it are the same with and without it. */
  readonly root: string;
  /** What the tools of its client mean. */
  readonly vocabulary: CallVocabulary;
  readonly compactions: readonly RecordedCompaction[];
  /** Whether its client puts files back after a compaction. */
  readonly restoresFiles?: boolean;
  /** What the recorded blocks weigh, stretched so that they sum to the recorded usage. */
  readonly weights: ReadonlyMap<Block, number>;
  /** What the client recorded beside the text of a result, by its call: the tool's own answer. */
  readonly details: ReadonlyMap<string, JsonObject>;
}

/** Why a session cannot be replayed; it is named in the report and stands in no total. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
  /** What its file was billed, where that is known. */
  readonly billedUsd?: number;
}
