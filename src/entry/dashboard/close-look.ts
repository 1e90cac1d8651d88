import { groupBy } from "../../core/group-by.ts";
import { isObject } from "../../core/json.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { calibrate, predictTokens } from "../../measure/calibration.ts";
import { weighArrival } from "../../measure/load.ts";
import { observeGrowth } from "../../measure/meter.ts";
import type { Recording } from "../../measure/recording.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import { findRepeatedInjections, type RepeatedInjection } from "../../recorded/audit/find-repeated-injections.ts";
import { type Bins, countBins, quantileBin } from "../../replay/bins.ts";

/** What the dashboard keeps of a transcript's contents: numbers, and the beginnings of repeated injections. */
export interface CloseLook {
  /** By tool; sizes in steps of a twelfth of a doubling, so every value is within 3 % of the true one. */
  readonly results: Readonly<Record<string, { readonly totalTokens: number; readonly sizes: Bins }>>;
  readonly repeated: readonly RepeatedInjection[];
}

/** More from one session would be noise in a list over all sessions. */
const MOST_REPEATED = 20;

export function lookClosely({ recording }: RecordedSession): CloseLook {
  return {
    results: weighResults(recording),
    repeated: findRepeatedInjections(recording).slice(0, MOST_REPEATED),
  };
}

function weighResults(recording: Recording): CloseLook["results"] {
  const tokenizer = tokenizerOf(recording.steps.at(-1)?.model ?? "");
  const scale = calibrate(observeGrowth(recording), tokenizer);
  const results = recording.steps.flatMap(({ arrivals }) => arrivals.filter(({ source }) => source === "toolResult"));
  return Object.fromEntries(
    [...groupBy(results, ({ label }) => label)].map(([tool, some]) => {
      const sizes = some.map((arrival) => predictTokens(weighArrival(arrival, tokenizer), scale));
      return [tool, { totalTokens: Math.round(sizes.reduce((sum, size) => sum + size, 0)), sizes: countSizes(sizes) }];
    }),
  );
}

export function isCloseLook(value: unknown): value is CloseLook {
  return isObject(value) && isObject(value.results) && Array.isArray(value.repeated);
}

const STEPS_PER_DOUBLING = 12;

export function countSizes(sizes: readonly number[]): Bins {
  return countBins(sizes.map((size) => (size < 1 ? -1 : Math.round(Math.log2(size) * STEPS_PER_DOUBLING))));
}

export function countAll(histogram: Bins): number {
  return Object.values(histogram).reduce((sum, count) => sum + count, 0);
}

/** The size at this quantile; 0 without values. */
export function quantileOf(histogram: Bins, share: number): number {
  const bucket = quantileBin(histogram, share);
  return bucket === undefined || bucket < 0 ? 0 : 2 ** (bucket / STEPS_PER_DOUBLING);
}
