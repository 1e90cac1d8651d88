import type { Arrival } from "../core/event.ts";
import type { Block } from "../core/message.ts";
import { estimateBlockTokens, type Tokenizer } from "../models/tokens.ts";

/** What fills a window, in classes that are calibrated separately. Token counts are seed estimates; the last three are numbers of items. */
export const LOAD_FIELDS = [
  "toolResult",
  "toolInput",
  "text",
  "prompt",
  "injected",
  "thinking",
  "calls",
  "results",
  "prompts",
] as const;
export type LoadField = (typeof LOAD_FIELDS)[number];
export type Load = Readonly<Record<LoadField, number>>;

export const emptyLoad: Load = {
  toolResult: 0,
  toolInput: 0,
  text: 0,
  prompt: 0,
  injected: 0,
  thinking: 0,
  calls: 0,
  results: 0,
  prompts: 0,
};

export function weighOutput(block: Block, tokenizer: Tokenizer): Load {
  const tokens = estimateBlockTokens(block, tokenizer);
  if (block.kind === "toolCall") return { ...emptyLoad, toolInput: tokens, calls: 1 };
  if (block.kind === "thinking") return { ...emptyLoad, thinking: tokens };
  return { ...emptyLoad, text: tokens };
}

export function weighArrival({ block, source }: Arrival, tokenizer: Tokenizer): Load {
  const tokens = estimateBlockTokens(block, tokenizer);
  if (block.kind === "toolResult") return { ...emptyLoad, toolResult: tokens, results: 1 };
  if (source === "prompt") return { ...emptyLoad, prompt: tokens, prompts: 1 };
  return { ...emptyLoad, injected: tokens };
}

export function sumLoads(loads: Iterable<Load>): Load {
  const total = { ...emptyLoad };
  for (const load of loads) for (const field of LOAD_FIELDS) total[field] += load[field];
  return total;
}
