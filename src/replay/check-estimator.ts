import { predictTokens, seedCalibration } from "../measure/calibration.ts";
import { weighArrival, weighOutput } from "../measure/load.ts";
import type { Recording, Step } from "../measure/recording.ts";
import { tokenizerOf } from "../models/tokens.ts";
import { MOST_DROP_TOKENS } from "./prepare-session.ts";

/**
 * The estimator alone against what was recorded: the size of every request as predicted from the first of its window and the
 * texts that joined since, nothing stretched. Signed, as a share of the recorded size.
 */
export function checkEstimator(recording: Recording): readonly number[] {
  const errors: number[] = [];
  let predicted = 0;
  for (const [index, step] of recording.steps.entries()) {
    const before = recording.steps[index - 1];
    if (step.contextTokens === 0) continue;
    if (!before || !isContinued(before, step)) {
      predicted = step.contextTokens;
      continue;
    }
    predicted += predictJoined(before, step);
    errors.push((predicted - step.contextTokens) / step.contextTokens);
  }
  return errors;
}

/** A larger fall was not recorded, so nobody could have predicted it. */
function isContinued(before: Step, step: Step): boolean {
  return (
    before.window === step.window &&
    tokenizerOf(before.model) === tokenizerOf(step.model) &&
    step.contextTokens - before.contextTokens >= -MOST_DROP_TOKENS
  );
}

function predictJoined(before: Step, step: Step): number {
  const tokenizer = tokenizerOf(step.model);
  const calibration = seedCalibration(tokenizer);
  let tokens = 0;
  for (const block of before.outputs) tokens += predictTokens(weighOutput(block, tokenizer), calibration);
  for (const arrival of step.arrivals) tokens += predictTokens(weighArrival(arrival, tokenizer), calibration);
  return tokens;
}
