import { tokenizerOf } from "../models/tokens.ts";
import { predictTokens, seedCalibration } from "./calibration.ts";
import { weighArrival } from "./load.ts";
import { quantile } from "./quantile.ts";
import type { Recording } from "./recording.ts";

export interface SummarySize {
  /** Number of the compaction in its session, from 1. */
  readonly compaction: number;
  /** Estimated from the recorded text. */
  readonly tokens: number;
  readonly characters: number;
  readonly trigger: string;
  /** Tokens before the compaction; `undefined` if the client did not record them. */
  readonly preTokens: number | undefined;
  /** The model of the requests around it; empty if there are none. */
  readonly model: string;
}

/** One for each compaction that left any text, in order. */
export function listSummarySizes(recording: Recording): readonly SummarySize[] {
  return recording.windows.flatMap(({ compaction, firstStep }, window) => {
    if (!compaction) return [];
    const steps = recording.steps.filter((step) => step.window === window);
    const isLast = window === recording.windows.length - 1;
    const arrivals = [...steps.flatMap((step) => step.arrivals), ...(isLast ? recording.waiting : [])];
    const summaries = arrivals.filter(({ source }) => source === "summary");
    const characters = summaries.reduce((sum, { block }) => sum + (block.kind === "text" ? block.text.length : 0), 0);
    if (characters === 0) return [];
    const model = steps[0]?.model ?? recording.steps[firstStep - 1]?.model ?? "";
    const tokenizer = tokenizerOf(model);
    const scale = seedCalibration(tokenizer);
    const tokens = summaries.reduce((sum, arrival) => sum + predictTokens(weighArrival(arrival, tokenizer), scale), 0);
    const { trigger, preTokens } = compaction;
    return [{ compaction: window, tokens: Math.round(tokens), characters, trigger, preTokens, model }];
  });
}

export interface SummarySizes {
  readonly count: number;
  readonly least: number | undefined;
  readonly mean: number | undefined;
  readonly p50: number | undefined;
  readonly p90: number | undefined;
  readonly p99: number | undefined;
  /** With fewer than 10,000 summaries this is simply the largest. */
  readonly p9999: number | undefined;
  readonly most: number | undefined;
}

export function describeSummarySizes(tokens: readonly number[]): SummarySizes {
  const sizes = tokens.filter((size) => Number.isFinite(size) && size >= 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return {
    count: sizes.length,
    least: quantile(sizes, 0),
    mean: sizes.length === 0 ? undefined : total / sizes.length,
    p50: quantile(sizes, 0.5),
    p90: quantile(sizes, 0.9),
    p99: quantile(sizes, 0.99),
    p9999: quantile(sizes, 0.9999),
    most: quantile(sizes, 1),
  };
}
