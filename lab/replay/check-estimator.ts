import { predictTokens, seedCalibration } from "../../src/measure/calibration.ts";
import { weighArrival, weighOutput } from "../../src/measure/load.ts";
import type { Recording, Step } from "../../src/measure/recording.ts";
import { tokenizerOf } from "../../src/models/tokens.ts";
import { MOST_DROP_TOKENS } from "../../src/replay/prepare-session.ts";

/**
 * The estimator alone compared with the record: the size of every request, predicted from the first of its window and the texts that joined
 * since, without scaling. Signed, as a share of the recorded size.
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

/** The cause of a larger fall was not recorded, so it could not be predicted. */
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
