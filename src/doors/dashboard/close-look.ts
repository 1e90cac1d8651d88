import { isObject } from "../../core/json.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { calibrate, predictTokens } from "../../measure/calibration.ts";
import { weighArrival } from "../../measure/load.ts";
import { observeGrowth } from "../../measure/meter.ts";
import type { Recording } from "../../measure/recording.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import { findRepeatedInjections, type RepeatedInjection } from "../../recorded/audit/find-repeated-injections.ts";
import { countSizes, type RequestHistogram } from "./histogram.ts";

/** What the dashboard keeps of a transcript's contents: numbers, and the beginnings of repeated injections. */
export interface CloseLook {
  readonly results: Readonly<Record<string, ResultSizes>>;
  readonly repeated: readonly RepeatedInjection[];
  readonly compactionsMs: readonly number[];
}

export interface ResultSizes {
  readonly totalTokens: number;
  readonly sizes: RequestHistogram;
}

/** More of one session is noise in a list over all of them. */
const MOST_REPEATED = 20;

export function lookClosely({ recording }: RecordedSession): CloseLook {
  return {
    results: weighResults(recording),
    repeated: findRepeatedInjections(recording).slice(0, MOST_REPEATED),
    compactionsMs: recording.windows.flatMap(({ compaction }) =>
      compaction?.atMs === undefined ? [] : [compaction.atMs],
    ),
  };
}

function weighResults(recording: Recording): CloseLook["results"] {
  const tokenizer = tokenizerOf(recording.steps.at(-1)?.model ?? "");
  const scale = calibrate(observeGrowth(recording), tokenizer);
  const tokens = new Map<string, number[]>();
  for (const arrival of recording.steps.flatMap(({ arrivals }) => arrivals)) {
    if (arrival.source !== "toolResult") continue;
    const sizes = tokens.get(arrival.label) ?? [];
    sizes.push(predictTokens(weighArrival(arrival, tokenizer), scale));
    tokens.set(arrival.label, sizes);
  }
  return Object.fromEntries(
    [...tokens].map(([tool, sizes]) => [
      tool,
      { totalTokens: Math.round(sizes.reduce((sum, size) => sum + size, 0)), sizes: countSizes(sizes) },
    ]),
  );
}

export function isCloseLook(value: unknown): value is CloseLook {
  if (!isObject(value)) return false;
  const { results, repeated, compactionsMs } = value;
  return isObject(results) && [repeated, compactionsMs].every((list) => Array.isArray(list));
}
