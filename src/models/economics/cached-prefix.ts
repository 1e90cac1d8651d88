/** Where a request that was changed somewhere can still be read from the cache, in tokens from its beginning. */
export interface CachedPrefix {
  /** The prefix that an unchanged request would read. */
  readonly warmTokens: number;
  /** System prompt and tools: they end in breakpoints of their own, so a change behind them never loses them. */
  readonly baseTokens: number;
  /**
   * The client marks the last block of a request, and the API looks for an entry at most 20 blocks before a mark. A change
   * in front of this place is farther away than that: only the base is read. 0 where the caller marks the place of its edit.
   */
  readonly reachFromTokens: number;
  /** Shorter prefixes are not cached. */
  readonly minimumTokens: number;
}

export const LOOK_BACK_BLOCKS = 20;

/** How much is read when the first changed block stands at this place. Never falls as the place moves back. */
export function countResumedTokens(prefix: CachedPrefix, positionTokens: number): number {
  if (positionTokens >= prefix.warmTokens) return prefix.warmTokens;
  const reached =
    positionTokens >= prefix.reachFromTokens ? positionTokens : Math.min(positionTokens, prefix.baseTokens);
  const resumed = Math.max(0, reached);
  return resumed < prefix.minimumTokens ? 0 : resumed;
}
