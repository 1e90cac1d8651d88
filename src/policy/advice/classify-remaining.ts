/** How much of the window is left, in three steps: a second opinion beside the levels. */
export type RemainingLevel = "SAFE" | "WARNING" | "CRITICAL";

const SAFE_ABOVE = 35;
const CRITICAL_BELOW = 25;

/** More than 35 % left is safe, less than 25 % critical; both ends of the band between them belong to it. */
export function classifyRemaining(percentLeft: number): RemainingLevel {
  if (percentLeft > SAFE_ABOVE) return "SAFE";
  return percentLeft < CRITICAL_BELOW ? "CRITICAL" : "WARNING";
}
