/** What a provider reports for one request. Cache writes are kept apart by life time because they are priced apart. */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
  /** `fast` where the request was served in fast mode, which has its own price; a sum of requests has no speed. */
  readonly speed?: "fast";
  /** Dollars that the client itself wrote down for the request; a sum of requests has none. */
  readonly recordedUsd?: number;
}

export const zeroUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
};

/** A client that is paid by subscription writes 0 for every request: that is no price. */
export function readRecordedUsd(usd: number | undefined): Pick<Usage, "recordedUsd"> {
  return usd !== undefined && usd > 0 ? { recordedUsd: usd } : {};
}

/** Everything the model was sent: what fills the window. */
export function sumContextTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
}

export function addUsage(left: Usage, right: Usage, sign: 1 | -1 = 1): Usage {
  return {
    inputTokens: left.inputTokens + sign * right.inputTokens,
    cacheReadTokens: left.cacheReadTokens + sign * right.cacheReadTokens,
    cacheWrite5mTokens: left.cacheWrite5mTokens + sign * right.cacheWrite5mTokens,
    cacheWrite1hTokens: left.cacheWrite1hTokens + sign * right.cacheWrite1hTokens,
    outputTokens: left.outputTokens + sign * right.outputTokens,
  };
}
