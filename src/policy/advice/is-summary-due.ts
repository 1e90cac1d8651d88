import type { Level } from "../../measure/level.ts";

/** A structured summary is made at RED, and at ORANGE when it was approved; earlier it would forget for nothing. */
export function isSummaryDue(level: Level, { isApproved }: { readonly isApproved: boolean }): boolean {
  return level === "RED" || (level === "ORANGE" && isApproved);
}
