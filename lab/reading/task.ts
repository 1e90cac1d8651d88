import { estimateTextTokens } from "../../src/models/tokens.ts";

/** Something that a model is asked for. */
export interface Task {
  readonly name: string;
  /** What it takes at least. */
  readonly requests: number;
  readonly promptTokens: number;
  readonly largestPromptTokens: number;
  readonly answerTokens: number;
  /** More requests may follow, one for each time that something is recalled. */
  readonly canRecall: boolean;
  run(): Promise<void>;
}

/** By the denser tokenizer, so that nobody pays more than was told. */
export function weighPrompt(text: string): number {
  return Math.round(estimateTextTokens(text, "dense"));
}
