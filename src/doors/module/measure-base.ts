/** What every request begins with, and by how much that may be wrong. */
export interface KnownBase {
  readonly baseTokens: number;
  readonly baseErrorTokens: number;
}

export interface BaseMeter {
  /** A request was measured; behind the base it carried so much by estimate. */
  measured(contextTokens: number, besideTokens: number): void;
  /** The window was compacted: tools, skills and instructions may have changed since it began. */
  windowBegan(): void;
  known(): KnownBase;
}

/** Of an estimate, before and after it was compared with what requests of the same window grew by. */
const ERROR = { plain: 0.15, compared: 0.03 } as const;
/** A smaller growth says more about roundings than about the estimate. */
const LEAST_GROWTH_TOKENS = 3_000;

/**
 * The base is what a measured request carried less what the conversation in it weighs by estimate. The first request of a
 * session carries nothing else, so it is exact; in a session that was begun without us, it becomes exact as requests grow.
 */
export function createBase(saved: { readonly [Field in keyof KnownBase]?: number | undefined } = {}): BaseMeter {
  let known: KnownBase = { baseTokens: saved.baseTokens ?? 0, baseErrorTokens: saved.baseErrorTokens ?? Infinity };
  let first: { readonly contextTokens: number; readonly besideTokens: number } | undefined;
  let scale = 1;
  let isCompared = false;
  return {
    measured(contextTokens, besideTokens) {
      first ??= { contextTokens, besideTokens };
      const growth = besideTokens - first.besideTokens;
      if (growth >= LEAST_GROWTH_TOKENS && contextTokens > first.contextTokens) {
        scale = (contextTokens - first.contextTokens) / growth;
        isCompared = true;
      }
      const weighed = besideTokens * scale;
      const baseErrorTokens = weighed * (isCompared ? ERROR.compared : ERROR.plain);
      if (baseErrorTokens > known.baseErrorTokens) return;
      known = { baseTokens: Math.max(0, Math.round(contextTokens - weighed)), baseErrorTokens };
    },
    windowBegan() {
      first = undefined;
      known = { ...known, baseErrorTokens: Infinity };
    },
    known: () => known,
  };
}
