import { isObject, type JsonObject, numberField, objectField } from "../../core/json.ts";
import type { ReportedLimit } from "../../measure/describe-limits.ts";

/** Timestamps of this century in seconds are below this, in milliseconds above. */
const SECONDS_BELOW = 1e11;

/** The status line uses `rate_limits`, the engine `rateLimits`. Both give the share in percent. */
export function parseLimits(reading: JsonObject): readonly ReportedLimit[] {
  const limits = objectField(reading, "rate_limits") ?? objectField(reading, "rateLimits") ?? {};
  return Object.entries(limits).flatMap(([name, limit]): readonly ReportedLimit[] => {
    if (!isObject(limit)) return [];
    const usedPercent = numberField(limit, "used_percentage") ?? numberField(limit, "usedPercent");
    const resets = numberField(limit, "resets_at") ?? numberField(limit, "resetsAt");
    if (usedPercent === undefined) return [];
    return [{ name, usedPercent, resetsAtMs: resets !== undefined && resets < SECONDS_BELOW ? resets * 1000 : resets }];
  });
}

type LimitLevel = "WARN" | "CRITICAL";

const WARN_PERCENT = 70;
const CRITICAL_PERCENT = 90;

/** The last level reported for each limit, with the end of its period. Plain data. */
export type SaidLimits = Readonly<Record<string, { readonly level: LimitLevel; readonly resetsAtMs: number | null }>>;

export function classifyLimit(usedPercent: number): LimitLevel | undefined {
  if (usedPercent >= CRITICAL_PERCENT) return "CRITICAL";
  return usedPercent >= WARN_PERCENT ? "WARN" : undefined;
}

/** One warning per threshold and period. A limit that has fallen below may be warned of again. */
export function decideLimitWarnings(
  limits: readonly ReportedLimit[],
  said: SaidLimits,
): { readonly warnings: readonly { readonly level: LimitLevel; readonly text: string }[]; readonly said: SaidLimits } {
  const warnings: { level: LimitLevel; text: string }[] = [];
  const next: Record<string, SaidLimits[string]> = {};
  for (const { name, usedPercent, resetsAtMs = null } of limits) {
    const level = classifyLimit(usedPercent);
    if (level === undefined) continue;
    const before = Object.hasOwn(said, name) ? said[name] : undefined;
    const isSaid = before?.resetsAtMs === resetsAtMs && (before.level === level || before.level === "CRITICAL");
    next[name] = isSaid && before ? before : { level, resetsAtMs };
    if (!isSaid) warnings.push({ level, text: renderWarning(name, usedPercent, level) });
  }
  return { warnings, said: next };
}

function renderWarning(name: string, usedPercent: number, level: LimitLevel): string {
  const used = `${name.replaceAll("_", "-")} rate limit: ${Math.round(usedPercent)} % used`;
  return level === "CRITICAL"
    ? `CRITICAL: ${used}. Finish what you have started, save state and start nothing large.`
    : `WARN: ${used}. Prefer small steps; leave optional work for later.`;
}
