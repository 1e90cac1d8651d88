import type { Level } from "../../measure/level.ts";

/** More tools than this at the start are worth an audit whatever the level. */
const MANY_TOOLS = 80;

/** When to look at the baseline: the window is filling, or the tools alone are many. */
export function isAuditDue(level: Level, tools: number): boolean {
  return level !== "GREEN" || tools > MANY_TOOLS;
}
