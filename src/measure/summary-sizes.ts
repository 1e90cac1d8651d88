import type { Arrival } from "../core/event.ts";
import { tokenizerOf } from "../models/tokens.ts";
import { type Calibration, predictTokens, seedCalibration } from "./calibration.ts";
import { weighArrival } from "./load.ts";
import type { Recording } from "./recording.ts";

/** One summary as a compaction really wrote it. */
export interface SummarySize {
  /** Number of the compaction in its session, from 1. */
  readonly compaction: number;
  /** Estimated from the text that was recorded. */
  readonly tokens: number;
  readonly characters: number;
  readonly trigger: string;
  /** Tokens before the compaction; `undefined` where the client did not record them. */
  readonly preTokens: number | undefined;
  /** The model of the requests around it; empty where there are none. */
  readonly model: string;
}

/** The summaries of a session, one for each compaction that left any text, in their order. */
export function listSummarySizes(recording: Recording, calibration?: Calibration): readonly SummarySize[] {
  return recording.windows.flatMap(({ compaction, firstStep }, window) => {
    if (!compaction) return [];
    const steps = recording.steps.filter((step) => step.window === window);
    const isLast = window === recording.windows.length - 1;
    const arrivals = [...steps.flatMap((step) => step.arrivals), ...(isLast ? recording.waiting : [])];
    const summaries = arrivals.filter(({ source }) => source === "summary");
    const characters = summaries.reduce((sum, arrival) => sum + countCharacters(arrival), 0);
    if (characters === 0) return [];
    const model = steps[0]?.model ?? recording.steps[firstStep - 1]?.model ?? "";
    const tokenizer = tokenizerOf(model);
    const scale = calibration ?? seedCalibration(tokenizer);
    const tokens = summaries.reduce((sum, arrival) => sum + predictTokens(weighArrival(arrival, tokenizer), scale), 0);
    const { trigger, preTokens } = compaction;
    return [{ compaction: window, tokens: Math.round(tokens), characters, trigger, preTokens, model }];
  });
}

function countCharacters({ block }: Arrival): number {
  return block.kind === "text" ? block.text.length : 0;
}
