/** The prompt of a harness: assembled for the cache, checked for what breaks it, with instructions and memory within their budgets. */
export { minimumCacheableTokens } from "../../models/find-model.ts";
export * from "./assemble-prompt.ts";
export type { Purpose } from "./breakpoint-candidates.ts";
export * from "./check-stability.ts";
export type { PrefixBreak } from "./find-break.ts";
export * from "./instructions/alternatives.ts";
export * from "./instructions/check-staleness.ts";
export * from "./instructions/dedupe-files.ts";
export * from "./instructions/find-rule-conflicts.ts";
export * from "./instructions/fit-instructions.ts";
export * from "./instructions/instruction-file.ts";
export * from "./instructions/list-mentions.ts";
export * from "./instructions/list-places.ts";
export * from "./memory/consolidate-memories.ts";
export * from "./memory/memory-index.ts";
export {
  type ExtractedMemory,
  type MemoryTexts,
  type MergedMemories,
  type MergedMemory,
  mergeMemories,
} from "./memory/merge-memories.ts";
export * from "./memory/render-memory.ts";
export * from "./memory/search-lines.ts";
export * from "./memory/select-topics.ts";
export * from "./place-breakpoints.ts";
export * from "./plan-breakpoints.ts";
export type { PromptRequest } from "./prefix-pieces.ts";
export * from "./render-stability.ts";
export * from "./render-system.ts";
export * from "./section.ts";
