import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";
import { classifyRemaining, type RemainingLevel } from "./classify-remaining.ts";
import { measurePercent, type Quote, quoteHealth } from "./quote-health.ts";

export interface AdviceOptions {
  /**
   * The advisory by remaining percentage. It goes by the raw window, so by default it accompanies the profiles that do not
   * go by the compaction point: on a window of a million it would call 760k critical, long before the line.
   */
  readonly remaining?: boolean;
  /** Let a full window switch terse writing on; otherwise only the person's own words do. */
  readonly isDensityAuto?: boolean;
}

/** What there is to advise on. */
export interface Assessment {
  readonly level: Level;
  readonly remaining: RemainingLevel;
  readonly isCritical: boolean;
  readonly quote: Quote;
}

export function assessAdvice(health: Health, options: AdviceOptions = {}): Assessment {
  const { profile, level } = health;
  const percent = (options.remaining ?? profile !== "measured") ? measurePercent(health) : undefined;
  const remaining = percent === undefined ? "SAFE" : classifyRemaining(100 - percent);
  // Two tables over the same percentage: the one that the person chose decides what is critical.
  const isCriticalByRest = remaining === "CRITICAL" && profile !== "percent";
  // What is critical by percentage alone quotes the percentage: the tool calls would not explain it.
  const quote: Quote =
    percent !== undefined && isCriticalByRest && level !== "RED" ? { kind: "percent", percent } : quoteHealth(health);
  return { level, remaining, isCritical: level === "RED" || isCriticalByRest, quote };
}
