/** What a provider reports for one request. Cache writes are split by lifetime because their prices differ. */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
  /** The part of the answer that the model only thought, where the provider leaves it out again from the next prompt on; a sum of requests has none. */
  readonly thoughtTokens?: number;
  /** `fast` if the request was served in fast mode, which has its own price; a sum of requests has no speed. */
  readonly speed?: "fast";
  /** Dollars that the client itself recorded for the request; a sum of requests has none. */
  readonly recordedUsd?: number;
}

export const zeroUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
};

/** A client on a subscription records 0 for every request, which is not a price. */
export function readRecordedUsd(usd: number | undefined): Pick<Usage, "recordedUsd"> {
  return usd !== undefined && usd > 0 ? { recordedUsd: usd } : {};
}

/** Everything the model was sent: what fills the window. */
export function sumContextTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWrite5mTokens: left.cacheWrite5mTokens + right.cacheWrite5mTokens,
    cacheWrite1hTokens: left.cacheWrite1hTokens + right.cacheWrite1hTokens,
    outputTokens: left.outputTokens + right.outputTokens,
  };
}
