/** If red: the token estimate is called exact, or judged on sessions that are too short to judge it. */
import { expect, test } from "vitest";
import { answer, DENSE, result, usage } from "../../../../test/support/session-events.ts";
import type { SessionEvent } from "../../../core/event.ts";
import { createRecording } from "../../../measure/recording.ts";
import { estimateTextTokens } from "../../../models/tokens.ts";
import { judgeCalibration } from "./stats-summaries.ts";

/** A session in which every seed token of a result is `factor` tokens, and every `everyNth` step carries a reminder more. */
function recordSession(steps: number, factor: number, reminder = { tokens: 0, everyNth: 10 }) {
  const events: SessionEvent[] = [];
  let contextTokens = 20_000;
  for (let index = 0; index < steps; index++) {
    events.push(answer(`s${index}`, usage({ read: Math.round(contextTokens), output: 100 }), [], { model: DENSE }));
    const text = "const value = compute(input);\n".repeat(20 + ((index * 37) % 90));
    events.push(result("Bash", "", text));
    contextTokens += 100 + 16 + estimateTextTokens(text, "dense") * factor;
    if (index % reminder.everyNth === 0) contextTokens += reminder.tokens;
  }
  return createRecording(events);
}

test("a session of fewer than forty comparable steps is not judged", () => {
  expect(judgeCalibration(recordSession(40, 1))).toBeUndefined();
  expect(judgeCalibration(recordSession(41, 1))?.steps).toBe(40);
  expect(judgeCalibration(createRecording([]))).toBeUndefined();
});

test("a session as the seed expects it is predicted without error", () => {
  const judgement = judgeCalibration(recordSession(101, 1));
  expect(judgement).toMatchObject({ model: DENSE, steps: 100 });
  for (const error of [...(judgement?.errors.alternating ?? []), judgement?.errors.laterHalf ?? 1])
    expect(Math.abs(error)).toBeLessThan(0.002);
  expect(judgement?.stepErrors.length).toBeGreaterThan(90);
});

test("half of a session teaches what the other half weighs, where the seed would be a fifth off", () => {
  const { alternating, laterHalf } = judgeCalibration(recordSession(201, 1.2))?.errors ?? {
    alternating: [],
    laterHalf: 1,
  };
  expect(alternating.length).toBe(2);
  for (const error of [...alternating, laterHalf]) expect(Math.abs(error)).toBeLessThan(0.02);
});

test("an error has a sign: what nobody recorded makes the prediction too small", () => {
  const judged = judgeCalibration(recordSession(201, 1, { tokens: 8000, everyNth: 10 }));
  expect(judged?.errors.laterHalf).toBeLessThan(-0.2);
});

test("every step that grew is judged by itself too, without a sign", () => {
  const stepErrors = judgeCalibration(recordSession(101, 1, { tokens: 8000, everyNth: 10 }))?.stepErrors ?? [];
  const far = stepErrors.filter((error) => error > 0.5);
  expect(far.length).toBe(10);
  expect(Math.min(...stepErrors)).toBeGreaterThanOrEqual(0);
});
