export interface TimedSpend {
  readonly atMs: number;
  readonly usd: number;
  readonly isAtLeast: boolean;
  readonly tokens: number;
}

/** The five-hour period of a subscription, as ccusage defines it. */
interface UsageBlock extends Omit<TimedSpend, "atMs"> {
  readonly startMs: number;
  readonly endMs: number;
  readonly lastMs: number;
  readonly requests: number;
}

const HOUR_MS = 3_600_000;
const BLOCK_MS: number = 5 * HOUR_MS;
const WEEK_MS: number = 7 * 24 * HOUR_MS;

/** A block begins at the full hour of its first request and lasts five hours; the next begins with the first request after its end, or after as long a silence. */
export function drawBlocks(requests: readonly TimedSpend[]): readonly UsageBlock[] {
  const blocks: UsageBlock[] = [];
  for (const { atMs, usd, isAtLeast, tokens } of [...requests].sort((left, right) => left.atMs - right.atMs)) {
    const open = blocks.at(-1);
    if (!open || atMs - open.startMs > BLOCK_MS || atMs - open.lastMs > BLOCK_MS) {
      const startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
      blocks.push({ startMs, endMs: startMs + BLOCK_MS, lastMs: atMs, requests: 1, usd, isAtLeast, tokens });
      continue;
    }
    const grown = { requests: open.requests + 1, usd: open.usd + usd, tokens: open.tokens + tokens };
    blocks[blocks.length - 1] = { ...open, ...grown, isAtLeast: open.isAtLeast || isAtLeast, lastMs: atMs };
  }
  return blocks;
}

export function findOpenBlock(requests: readonly TimedSpend[], nowMs: number): UsageBlock | undefined {
  const last = drawBlocks(requests).at(-1);
  return last && nowMs >= last.startMs && nowMs < last.endMs ? last : undefined;
}

/** How much of a period is used, when it resets, and when it runs out at the current pace. */
export interface LimitState {
  readonly name: "five_hour" | "seven_day";
  /** `client`: the account's own figure. `blocks`: only what these recordings add up to; the limit itself is unknown. */
  readonly source: "client" | "blocks";
  readonly usedPercent: number | undefined;
  readonly usd: number | undefined;
  readonly isAtLeast: boolean;
  readonly requests: number | undefined;
  readonly resetsAtMs: number | undefined;
  /** `undefined` if the period ends first, or the limit is unknown. */
  readonly endsAtMs: number | undefined;
}

const PERIODS = [
  ["five_hour", BLOCK_MS],
  ["seven_day", WEEK_MS],
] as const;

/** The five hours and the week: from the client if it reported them, otherwise from blocks over the recorded requests. */
export function describeLimits(
  reported: readonly ReportedLimit[],
  requests: readonly TimedSpend[],
  nowMs: number,
): readonly LimitState[] {
  return PERIODS.flatMap(([name, lengthMs]): readonly LimitState[] => {
    const limit = reported.find((one) => one.name === name);
    // A report about a past period says nothing about the current one.
    const isCurrent = limit && (limit.resetsAtMs === undefined || limit.resetsAtMs > nowMs);
    const { endMs, ...sums } = name === "five_hour" ? sumBlock(requests, nowMs) : sumWeek(requests, nowMs);
    if (isCurrent) {
      const { usedPercent, resetsAtMs } = limit;
      const endsAtMs = projectLimit(limit, lengthMs, nowMs);
      return [{ name, source: "client", usedPercent, ...sums, resetsAtMs, endsAtMs }];
    }
    if (sums.requests === 0) return [];
    return [{ name, source: "blocks", usedPercent: undefined, ...sums, resetsAtMs: endMs, endsAtMs: undefined }];
  });
}

function sumBlock(spent: readonly TimedSpend[], nowMs: number) {
  const { usd = 0, isAtLeast = false, requests = 0, endMs } = findOpenBlock(spent, nowMs) ?? {};
  return { usd, isAtLeast, requests, endMs };
}

function sumWeek(spent: readonly TimedSpend[], nowMs: number) {
  const week = spent.filter(({ atMs }) => atMs > nowMs - WEEK_MS && atMs <= nowMs);
  const usd = week.reduce((sum, one) => sum + one.usd, 0);
  return { usd, isAtLeast: week.some((one) => one.isAtLeast), requests: week.length, endMs: undefined };
}

export interface ReportedLimit {
  readonly name: string;
  readonly usedPercent: number;
  readonly resetsAtMs: number | undefined;
}

/** When it runs out at the mean pace since its period began; `undefined` if the period ends first, or this is unknown. */
export function projectLimit(
  { usedPercent, resetsAtMs }: Omit<ReportedLimit, "name">,
  lengthMs: number,
  nowMs: number,
): number | undefined {
  if (resetsAtMs === undefined || usedPercent <= 0) return undefined;
  const elapsedMs = nowMs - (resetsAtMs - lengthMs);
  if (elapsedMs <= 0) return undefined;
  const endsAtMs = nowMs + (Math.max(0, 100 - usedPercent) / usedPercent) * elapsedMs;
  return endsAtMs < resetsAtMs ? endsAtMs : undefined;
}
