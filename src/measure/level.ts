export type Level = "GREEN" | "YELLOW" | "ORANGE" | "RED";

/** From here on a compaction is advised. */
export function isHeavy(level: Level): boolean {
  return level === "ORANGE" || level === "RED";
}

/**
 * `measured`: shares of the point where the client compacts, from recorded usage. The default.
 * `calls`: number of tool calls. `percent`: share of the raw window. Both are kept exact for people who know them.
 */
export type Profile = "measured" | "calls" | "percent";

export const PROFILES: readonly Profile[] = ["measured", "calls", "percent"];

/** YELLOW from the first number, ORANGE from the second, RED above the third. */
type Bands = readonly [number, number, number];

const MEASURED: Bands = [60, 78, 90];
const CALLS: Bands = [50, 80, 120];
/** Sessions that read large files fill the window with fewer calls. */
const CALLS_WITH_LARGE_FILES: Bands = [40, 65, 100];
const PERCENT: Bands = [50, 70, 85];

/** At 60, 78 and 90 % of the compaction point: on a 200k window 50, 65 and 75 % of the window. */
export function classifyMeasured(usedTokens: number, compactionPointTokens: number): Level {
  const percent = (usedTokens / compactionPointTokens) * 100;
  if (percent >= MEASURED[2]) return "RED";
  return classify(percent, MEASURED);
}

export function classifyCalls(toolCalls: number, hasLargeFiles: boolean): Level {
  return classify(toolCalls, hasLargeFiles ? CALLS_WITH_LARGE_FILES : CALLS);
}

export function classifyPercent(percentOfWindow: number): Level {
  return classify(percentOfWindow, PERCENT);
}

/** Half-open below, closed above: [yellow, orange) and [orange, red]. */
function classify(value: number, [yellow, orange, red]: Bands): Level {
  if (value > red) return "RED";
  if (value >= orange) return "ORANGE";
  return value >= yellow ? "YELLOW" : "GREEN";
}
