/** A request as far as blocks are drawn from it. */
export interface TimedSpend {
  readonly atMs: number;
  readonly usd: number;
  /** Whether that is a lower bound. */
  readonly isAtLeast: boolean;
  readonly tokens: number;
}

/** The five hours in which a subscription counts, as ccusage draws them. */
export interface UsageBlock {
  readonly startMs: number;
  readonly endMs: number;
  readonly lastMs: number;
  readonly requests: number;
  readonly usd: number;
  readonly isAtLeast: boolean;
  readonly tokens: number;
}

const HOUR_MS = 3_600_000;
export const BLOCK_MS: number = 5 * HOUR_MS;

/**
 * A block begins with the full hour of its first request and lasts five hours; the next one begins with the first request behind its
 * end, or behind five hours of silence. Requests in any order.
 */
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

/** The block that is open now; `undefined` where none is. */
export function findOpenBlock(requests: readonly TimedSpend[], nowMs: number): UsageBlock | undefined {
  const last = drawBlocks(requests).at(-1);
  return last && nowMs >= last.startMs && nowMs < last.endMs ? last : undefined;
}
