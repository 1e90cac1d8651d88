import { mixWriteRate, rateModel } from "../models/economics/rates.ts";

/** A conversation without the tool `recall`, in which something would leave for the first time. */
export interface RecallEntry {
  readonly model: string;
  /** Lies in the cache, and would have stayed there: the tool stands in front of it. */
  readonly rewrittenTokens: number;
  /** Less in every later request. */
  readonly savedTokens: number;
  /** Of those: never sent before, so not even written once. */
  readonly unwrittenTokens: number;
  readonly share1h: number;
  /** Thinking that the model would lose, because it is bound to the tools it was thought with. */
  readonly losesThinking: boolean;
}

/** What followed the first result that a fold is for, before the end or a compaction, in half of 79 recorded conversations that had one. */
const REQUESTS_TO_COME = 59;

/**
 * Whether the tool is worth its place now. What is cached begins with the tools, so that all of it is written anew once; after that
 * the tool stays, and nothing is paid again.
 */
export function isEntryDue(entry: RecallEntry): boolean {
  const { model, rewrittenTokens, savedTokens, unwrittenTokens, share1h, losesThinking } = entry;
  if (losesThinking) return false;
  const rates = rateModel(model, rewrittenTokens);
  const write = mixWriteRate(rates, share1h);
  const gain = savedTokens * rates.read * REQUESTS_TO_COME + unwrittenTokens * write;
  return gain > rewrittenTokens * (write - rates.read);
}
