import type { Output } from "../core/event.ts";
import { tokenizerOf } from "../models/tokens.ts";
import type { Observation } from "./calibration.ts";
import { emptyLoad, type Load, sumLoads, weighArrival, weighOutput } from "./load.ts";
import type { Recording, Step } from "./recording.ts";

/** A fall of more than this without a boundary means that something was cleared unrecorded: it teaches nothing. */
const MAX_FALL_TOKENS = 500;

export interface StepObservation extends Observation {
  /** Index of the step whose request grew. */
  readonly step: number;
  readonly model: string;
}

/** What each pair of neighbouring requests teaches about tokens. */
export function observeGrowth(recording: Recording): readonly StepObservation[] {
  const observations: StepObservation[] = [];
  for (const [index, step] of recording.steps.entries()) {
    const before = recording.steps[index - 1];
    if (!before || before.window !== step.window || before.model !== step.model) continue;
    if (!before.usage || !step.usage) continue;
    const growth = step.contextTokens - before.contextTokens;
    if (growth < -MAX_FALL_TOKENS) continue;
    const answer = weighAnswer(before);
    const arrived = sumLoads(step.arrivals.map((arrival) => weighArrival(arrival, tokenizerOf(step.model))));
    observations.push({
      step: index,
      model: step.model,
      growthTokens: growth - answer.knownTokens,
      load: sumLoads([answer.load, arrived]),
    });
  }
  return observations;
}

/** An answer whose final token count was recorded needs no estimate: it is carried on as it was counted. */
export function weighAnswer(step: Pick<Step, "usage" | "outputs" | "model"> & Pick<Output, "isOutputFinal">): {
  readonly knownTokens: number;
  readonly load: Load;
} {
  if (step.isOutputFinal && step.usage) return { knownTokens: step.usage.outputTokens, load: emptyLoad };
  const tokenizer = tokenizerOf(step.model);
  return { knownTokens: 0, load: sumLoads(step.outputs.map((block) => weighOutput(block, tokenizer))) };
}
