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

/** From this many large reads on, the stricter table of calls is used for the rest of the session. */
const LARGE_FILES_FROM = 3;

export function hasManyLargeReads(largeReads: number): boolean {
  return largeReads >= LARGE_FILES_FROM;
}

interface MeasuredLoad {
  readonly usedTokens: number | undefined;
  readonly windowTokens: number;
  readonly compactionPointTokens: number;
  /** Tool calls since the last compaction; they decide where no size is known. */
  readonly windowCalls: number;
  readonly largeReads: number;
}

export function classifyLoad(load: MeasuredLoad, profile: Profile): Level {
  const { usedTokens, windowTokens, compactionPointTokens, windowCalls, largeReads } = load;
  if (usedTokens === undefined || profile === "calls") return classifyCalls(windowCalls, hasManyLargeReads(largeReads));
  if (profile === "percent") return classifyPercent((usedTokens / windowTokens) * 100);
  return classifyMeasured(usedTokens, compactionPointTokens);
}

/** Half-open below, closed above: [yellow, orange) and [orange, red]. */
function classify(value: number, [yellow, orange, red]: Bands): Level {
  if (value > red) return "RED";
  if (value >= orange) return "ORANGE";
  return value >= yellow ? "YELLOW" : "GREEN";
}
