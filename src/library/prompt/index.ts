/** The prompt of a harness: assembled for the cache, checked for what breaks it, with instructions and memory within their budgets. */
export { assemblePrompt } from "./assemble-prompt.ts";
export { checkStability } from "./check-stability.ts";
export { checkStaleness } from "./instructions/check-staleness.ts";
export { findRuleConflicts, renderRuleConflicts } from "./instructions/find-rule-conflicts.ts";
export { fitInstructions } from "./instructions/fit-instructions.ts";
export { renderMemory } from "./memory/render-memory.ts";
export { searchLines } from "./memory/search-lines.ts";
export { placeBreakpoints } from "./place-breakpoints.ts";
export { renderStability } from "./render-stability.ts";
export { renderSystem } from "./render-system.ts";
