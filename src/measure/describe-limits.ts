import { projectLimit, type ToldLimit } from "./project-limit.ts";
import { BLOCK_MS, findOpenBlock, type TimedSpend } from "./usage-block.ts";

/** How much of a period is used, when it begins anew, and when it is used up at the pace so far. */
export interface LimitState {
  readonly name: "five_hour" | "seven_day";
  /** `client`: the account's own figure. `blocks`: only what these recordings came to in the period; the limit itself is not known. */
  readonly source: "client" | "blocks";
  readonly usedPercent: number | undefined;
  readonly usd: number | undefined;
  /** Whether the dollars are a lower bound. */
  readonly isAtLeast: boolean;
  readonly requests: number | undefined;
  readonly resetsAtMs: number | undefined;
  /** `undefined` where the period ends first, or the limit is not known. */
  readonly endsAtMs: number | undefined;
}

const PERIODS = [
  ["five_hour", BLOCK_MS],
  ["seven_day", 7 * 86_400_000],
] as const;

/** The five hours and the week: from the client where it has told them, else by blocks drawn from what is recorded. */
export function describeLimits(
  told: readonly ToldLimit[],
  requests: readonly TimedSpend[],
  nowMs: number,
): readonly LimitState[] {
  return PERIODS.flatMap(([name, lengthMs]): readonly LimitState[] => {
    const limit = told.find((one) => one.name === name);
    // What was told of a period that is over says nothing of the one that runs.
    const isCurrent = limit && (limit.resetsAtMs === undefined || limit.resetsAtMs > nowMs);
    const sums = sumPeriod(name, requests, nowMs);
    if (isCurrent) {
      const { usedPercent, resetsAtMs } = limit;
      return [
        { name, source: "client", usedPercent, ...sums, resetsAtMs, endsAtMs: projectLimit(limit, lengthMs, nowMs) },
      ];
    }
    if (sums.requests === 0) return [];
    const block = name === "five_hour" ? findOpenBlock(requests, nowMs) : undefined;
    const resetsAtMs = block?.endMs;
    return [{ name, source: "blocks", usedPercent: undefined, ...sums, resetsAtMs, endsAtMs: undefined }];
  });
}

function sumPeriod(name: LimitState["name"], requests: readonly TimedSpend[], nowMs: number) {
  if (name === "five_hour") {
    const block = findOpenBlock(requests, nowMs);
    return { usd: block?.usd ?? 0, isAtLeast: block?.isAtLeast ?? false, requests: block?.requests ?? 0 };
  }
  const week = requests.filter(({ atMs }) => atMs > nowMs - 7 * 86_400_000 && atMs <= nowMs);
  return {
    usd: week.reduce((sum, { usd }) => sum + usd, 0),
    isAtLeast: week.some(({ isAtLeast }) => isAtLeast),
    requests: week.length,
  };
}
