import type { Level } from "../../measure/level.ts";

/** The one word a caller acts on. */
export type Recommendation = "continue" | "load-essential-only" | "compact-at-boundary" | "compact-immediately";

const RECOMMENDATIONS: Readonly<Record<Level, Recommendation>> = {
  GREEN: "continue",
  YELLOW: "load-essential-only",
  ORANGE: "compact-at-boundary",
  RED: "compact-immediately",
};

export function recommend(level: Level): Recommendation {
  return RECOMMENDATIONS[level];
}
