import { mixWriteRate, rateModel } from "../models/economics/rates.ts";

/** A conversation without the `recall` tool, in which something would be removed for the first time. */
export interface RecallEntry {
  readonly model: string;
  /** Cached tokens that adding the tool would rewrite, because tools come before them in the prompt. */
  readonly rewrittenTokens: number;
  /** Saved in every later request. */
  readonly savedTokens: number;
  /** The part of `savedTokens` that was never sent, so not even written to the cache once. */
  readonly unwrittenTokens: number;
  readonly share1h: number;
  /** The model would lose its thinking, because that is bound to the tools it was produced with. */
  readonly losesThinking: boolean;
}

/** Median number of requests between the first foldable result and the end or a compaction, in 79 recorded conversations that had such a result. */
const REQUESTS_TO_COME = 59;

/** Whether adding the tool pays now. Tools come first in the cached prefix, so all of it is written again once; after that the tool stays. */
export function isEntryDue(entry: RecallEntry): boolean {
  const { model, rewrittenTokens, savedTokens, unwrittenTokens, share1h, losesThinking } = entry;
  if (losesThinking) return false;
  const rates = rateModel(model, rewrittenTokens);
  const write = mixWriteRate(rates, share1h);
  const gain = savedTokens * rates.read * REQUESTS_TO_COME + unwrittenTokens * write;
  return gain > rewrittenTokens * (write - rates.read);
}

/** Whether the model can be given a tool to fetch things back with. If not, the request is sent whole, because nothing may be out of its reach. */
export function mayServeRecall({ hasTools, toolChoice }: { hasTools: boolean; toolChoice: string }): boolean {
  return hasTools && ["", "auto", "any"].includes(toolChoice);
}
