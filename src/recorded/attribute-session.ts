import type { RecordedSession } from "../hosts/follow-transcript.ts";
import { type Attribution, attributeWindow } from "../measure/attribution.ts";
import { calibrate } from "../measure/calibration.ts";
import { fitParts } from "../measure/fit-parts.ts";
import { observeGrowth } from "../measure/observe.ts";
import { tokenizerOf } from "../models/tokens.ts";

/** Attribution with the session's own calibration: its steps know best what their tokens are. No part is below zero. */
export function attributeSession({ recording }: Pick<RecordedSession, "recording">): readonly Attribution[] {
  const model = recording.steps.at(-1)?.model ?? "";
  const tokenizer = tokenizerOf(model);
  const own = observeGrowth(recording).filter((observation) => tokenizerOf(observation.model) === tokenizer);
  return attributeWindow(recording, calibrate(own, tokenizer)).map(fitParts);
}
