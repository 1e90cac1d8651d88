/** The prompt of an agent: assembled for the cache, checked for what breaks it, with instructions and memory within their budgets. */
export { assemblePrompt, renderSystem } from "./assemble-prompt.ts";
export { checkStability, renderStability } from "./check-stability.ts";
export { checkStaleness } from "./instructions/check-staleness.ts";
export { findRuleConflicts, renderRuleConflicts } from "./instructions/find-rule-conflicts.ts";
export { fitInstructions } from "./instructions/fit-instructions.ts";
export { renderMemory } from "./memory/memory-index.ts";
export { searchLines } from "./memory/search-lines.ts";
export { placeBreakpoints } from "./place-breakpoints.ts";
