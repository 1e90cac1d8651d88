import { isObject } from "../../core/json-fields.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { calibrate, predictTokens } from "../../measure/calibration.ts";
import { type CalibrationJudgement, judgeCalibration } from "../../measure/judge-calibration.ts";
import { weighArrival } from "../../measure/load.ts";
import { observeGrowth } from "../../measure/observe.ts";
import type { Recording } from "../../measure/recording.ts";
import { listSummarySizes, type SummarySize } from "../../measure/summary-sizes.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import { findRepeatedInjections, type RepeatedInjection } from "../../recorded/audit/find-repeated-injections.ts";
import { countSizes, type Histogram } from "./histogram.ts";

/** What the dashboard keeps of a transcript's contents: numbers, a title and the beginnings of repeated injections. */
export interface CloseLook {
  readonly title: string;
  readonly directory: string;
  readonly model: string;
  readonly steps: number;
  readonly peakTokens: number;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly summaries: readonly SummarySize[];
  readonly results: Readonly<Record<string, ResultSizes>>;
  readonly judgement: CalibrationJudgement | null;
  readonly repeated: readonly RepeatedInjection[];
  readonly compactionsMs: readonly number[];
}

export interface ResultSizes {
  readonly totalTokens: number;
  readonly sizes: Histogram;
}

/** More of one session is noise in a list over all of them. */
const MOST_REPEATED = 20;

export function lookClosely(session: RecordedSession): CloseLook {
  const { recording, transcript } = session;
  const { steps, windows } = recording;
  const times = steps.flatMap(({ atMs }) => (atMs === undefined ? [] : [atMs]));
  const judgement = judgeCalibration(recording);
  return {
    title: session.accounts.title,
    directory: transcript.cwd,
    model: steps.at(-1)?.model ?? "",
    steps: steps.length,
    peakTokens: steps.reduce((most, { contextTokens }) => Math.max(most, contextTokens), 0),
    startMs: times[0] ?? null,
    endMs: times.at(-1) ?? null,
    summaries: listSummarySizes(recording),
    results: weighResults(recording),
    judgement: judgement ? shorten(judgement) : null,
    repeated: findRepeatedInjections(recording).slice(0, MOST_REPEATED),
    compactionsMs: windows.flatMap(({ compaction }) => (compaction?.atMs === undefined ? [] : [compaction.atMs])),
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

/** A tenth of a percent is all that is shown. */
function shorten(judgement: CalibrationJudgement): CalibrationJudgement {
  return { ...judgement, stepErrors: judgement.stepErrors.map((error) => Math.round(error * 1000) / 1000) };
}

export function isCloseLook(value: unknown): value is CloseLook {
  if (!isObject(value)) return false;
  const { steps, summaries, results, repeated, compactionsMs } = value;
  return (
    typeof steps === "number" &&
    isObject(results) &&
    [summaries, repeated, compactionsMs].every((list) => Array.isArray(list))
  );
}
