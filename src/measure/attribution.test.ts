/** If red: the parts that are said to fill the window do not add up to its size. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryEvents } from "../../test/support/arbitrary-events.ts";
import { tries } from "../../test/support/depth.ts";
import {
  answer,
  called,
  clearedInPlace,
  compacted,
  injected,
  prompt,
  request,
  result,
  said,
  thought,
  usage,
} from "../../test/support/session-events.ts";
import type { SessionEvent } from "../core/event.ts";
import { type Attribution, attributeWindow, BEFORE_FILE } from "./attribution.ts";
import { predictTokens, seedCalibration } from "./calibration.ts";
import { weighArrival, weighOutput } from "./load.ts";
import { createRecording } from "./recording.ts";

const WORDS = "some words that were said about the matter\n".repeat(20);

function attribute(...events: readonly SessionEvent[]): readonly Attribution[] {
  return attributeWindow(createRecording(events));
}

const seed = seedCalibration("classic");
const wordsAsPrompt = predictTokens(weighArrival(prompt(WORDS), "classic"), seed);
const wordsAsResult = predictTokens(weighArrival(result("Bash", "1", WORDS), "classic"), seed);

function sumParts({ parts, unexplainedTokens }: Attribution): number {
  return Object.values(parts).reduce((sum, tokens) => sum + tokens, unexplainedTokens);
}

describe("the first request", () => {
  it("is what was recorded, and a base of all that was not", () => {
    const [first] = attribute(prompt(WORDS), request("s1", 20_000));
    expect(first).toMatchObject({ step: 0, contextTokens: 20_000 });
    expect(first?.parts.prompt).toBeCloseTo(wordsAsPrompt, 6);
    expect(first?.parts.base).toBeCloseTo(20_000 - wordsAsPrompt, 6);
    expect(first?.unexplainedTokens).toBeCloseTo(0, 6);
  });

  it("has no base below zero: where the estimate is larger than the request, the rest is unexplained", () => {
    const [first] = attribute(prompt(WORDS), request("s1", 10));
    expect(first?.parts.base).toBe(0);
    expect(first?.unexplainedTokens).toBeCloseTo(10 - wordsAsPrompt, 6);
  });
});

describe("growth", () => {
  it("takes the final count of the answer, and stretches what joined to the rest", () => {
    const [, second] = attribute(
      answer("s1", usage({ read: 20_000, output: 500 }), [said(WORDS), called("Bash", "1", { command: WORDS })]),
      result("Bash", "1", WORDS),
      request("s2", 20_000 + 500 + 300),
    );
    const { base, text = 0, input = 0, ...others } = second?.parts ?? {};
    expect(base).toBe(20_000);
    expect(text + input).toBeCloseTo(500, 6);
    expect(text).toBeGreaterThan(0);
    expect(input).toBeGreaterThan(text);
    expect(others["result:Bash"]).toBeCloseTo(300, 6);
    expect(second?.unexplainedTokens).toBeCloseTo(0, 6);
  });

  it("does not take the count of an answer that is not final", () => {
    const [, second] = attribute(
      answer("s1", usage({ read: 20_000, output: 1 }), [said(WORDS)], { isOutputFinal: false }),
      prompt(WORDS),
      request("s2", 20_000 + 600),
    );
    const { text = 0, prompt: asked = 0 } = second?.parts ?? {};
    expect(text + asked).toBeCloseTo(600, 6);
    expect(text).toBeGreaterThan(200);
  });

  it("names results by their tool and thinking by itself", () => {
    const last = attribute(
      request("s1", 20_000),
      answer("s2", usage({ read: 20_000, output: 400 }), [thought(WORDS), called("Read", "1"), called("Grep", "2")]),
      result("Read", "1", WORDS),
      result("Grep", "2", WORDS),
      injected("attachment", WORDS),
      injected("reminder", WORDS),
      request("s3", 22_000),
    ).at(-1);
    expect(Object.keys(last?.parts ?? {}).sort()).toEqual([
      "attachment",
      "base",
      "input",
      "reminder",
      "result:Grep",
      "result:Read",
      "thinking",
    ]);
  });

  it("stretches an estimate at most to the double and down to 0.4, and leaves the rest unexplained", () => {
    const grown = (growth: number): Attribution | undefined =>
      attribute(request("s1", 20_000), result("Bash", "1", WORDS), request("s2", 20_000 + growth)).at(-1);
    const much = grown(10_000);
    expect(much?.parts["result:Bash"]).toBeCloseTo(2 * wordsAsResult, 6);
    expect(much?.unexplainedTokens).toBeCloseTo(10_000 - 2 * wordsAsResult, 6);
    const little = grown(1);
    expect(little?.parts["result:Bash"]).toBeCloseTo(0.4 * wordsAsResult, 6);
    expect(little?.unexplainedTokens).toBeCloseTo(1 - 0.4 * wordsAsResult, 6);
  });

  it("calls growth unexplained when nothing was recorded that could have grown", () => {
    expect(attribute(request("s1", 20_000), request("s2", 20_700)).at(-1)).toEqual({
      step: 1,
      contextTokens: 20_700,
      parts: { base: 20_000 },
      unexplainedTokens: 700,
    });
  });

  it("shows what the client cleared without telling as unexplained below zero", () => {
    const last = attribute(
      request("s1", 60_000),
      clearedInPlace(30_000),
      result("Bash", "1", WORDS),
      request("s2", 30_000),
    ).at(-1);
    expect(last?.parts["result:Bash"]).toBeCloseTo(wordsAsResult, 6);
    expect(last?.unexplainedTokens).toBeCloseTo(-30_000 - wordsAsResult, 6);
  });

  it("goes on across a step without usage, with everything that joined on both sides of it", () => {
    const last = attribute(
      request("s1", 20_000),
      prompt(WORDS),
      answer("s2", undefined, [said(WORDS)]),
      result("Bash", "1", WORDS),
      request("s3", 20_000 + 900),
    ).at(-1);
    const { base, prompt: asked = 0, text = 0, "result:Bash": ran = 0 } = last?.parts ?? {};
    expect(base).toBe(20_000);
    expect([asked, text, ran].every((tokens) => tokens > 200)).toBe(true);
    expect(asked + text + ran).toBeCloseTo(900, 6);
    expect(last?.unexplainedTokens).toBeCloseTo(0, 6);
  });
});

describe("a compaction", () => {
  const before = [prompt("hello"), request("s1", 20_000), request("s2", 160_000)];

  it("leaves the base as it was; what it carries next to the summary came with it, and nobody recorded what it is", () => {
    const attributions = attribute(...before, compacted(), injected("summary", WORDS), request("s3", 45_000));
    const base = attributions[0]?.parts.base ?? 0;
    expect(base).toBeGreaterThan(19_900);
    const summary = predictTokens(weighArrival(injected("summary", WORDS), "classic"), seed);
    const { withCompaction, ...recorded } = attributions.at(-1)?.parts ?? {};
    expect(recorded).toEqual({ base, summary });
    expect(withCompaction).toBeCloseTo(45_000 - base - summary, 6);
    expect(attributions.at(-1)?.unexplainedTokens).toBe(0);
  });

  it("gives back less than the base only where the whole request is smaller", () => {
    const last = attribute(...before, compacted(), request("s3", 15_000)).at(-1);
    expect(last?.parts).toEqual({ base: 15_000 });
    expect(last?.unexplainedTokens).toBe(0);
  });

  it("attributes the messages that were kept word for word", () => {
    const last = attribute(
      ...before,
      answer("s3", usage({ read: 161_000 }), [said(WORDS), called("Read", "1")], { origin: "a3" }),
      result("Read", "1", WORDS, { origin: "u3" }),
      compacted({ preserved: ["a3", "u3"] }),
      injected("summary", WORDS),
      request("s4", 45_000),
    ).at(-1);
    expect(last?.parts).toMatchObject({
      "result:Read": wordsAsResult,
      text: predictTokens(weighOutput(said(WORDS), "classic"), seed),
      input: predictTokens(weighOutput(called("Read", "1"), "classic"), seed),
    });
  });

  it("attributes a kept prompt as a prompt", () => {
    const last = attribute(
      ...before,
      prompt(WORDS, { origin: "u3" }),
      compacted({ preserved: ["u3"] }),
      request("s4", 45_000),
    ).at(-1);
    expect(last?.parts.prompt).toBeCloseTo(wordsAsPrompt, 6);
  });
});

describe("the sum", () => {
  it("of all parts and the unexplained is the recorded context, at every step that has one", () => {
    fc.assert(
      fc.property(arbitraryEvents(20), (events) => {
        const recording = createRecording(events);
        const attributions = attributeWindow(recording);
        expect(attributions.map(({ step }) => step)).toEqual(
          recording.steps.flatMap((step, index) => (step.usage ? [index] : [])),
        );
        for (const attribution of attributions) {
          expect(attribution.contextTokens).toBe(recording.steps[attribution.step]?.contextTokens);
          expect(Math.abs(sumParts(attribution) - attribution.contextTokens)).toBeLessThan(1e-3);
        }
      }),
      { numRuns: tries(40, 300) },
    );
  });

  it("has no part below zero, whatever was cleared", () => {
    fc.assert(
      fc.property(arbitraryEvents(20), (events) => {
        for (const { parts } of attribute(...events))
          for (const tokens of Object.values(parts)) expect(tokens).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: tries(40, 300) },
    );
  });

  it("holds with any calibration, which decides the shares", () => {
    const doubled = { ...seed, factors: { ...seed.factors, prompt: 2 } };
    const events = [prompt(WORDS), request("s1", 20_000)];
    const [plain] = attributeWindow(createRecording(events));
    const [heavy] = attributeWindow(createRecording(events), doubled);
    expect(heavy?.parts.prompt ?? 0).toBeGreaterThan(1.9 * (plain?.parts.prompt ?? 0));
    expect(heavy && sumParts(heavy)).toBeCloseTo(20_000, 6);
  });
});

describe("a prompt", () => {
  it("brings reminders that nobody recorded: they are told as what came with it", () => {
    const [, second] = attribute(request("s1", 20_000), prompt("go on"), request("s2", 26_000));
    expect(second?.parts.withPrompt).toBeGreaterThan(5000);
    expect(second?.unexplainedTokens).toBe(0);
    expect(second && sumParts(second)).toBeCloseTo(26_000, 6);
  });

  it("hides nothing that came with a result, nor what the client took away", () => {
    const [, second] = attribute(request("s1", 20_000), result("Bash", "1", "done"), request("s2", 26_000));
    expect([second?.parts.withPrompt, (second?.unexplainedTokens ?? 0) > 5000]).toEqual([undefined, true]);
    const [, less] = attribute(request("s1", 20_000), prompt("go on"), request("s2", 16_000));
    expect([less?.parts.withPrompt, (less?.unexplainedTokens ?? 0) < -3999]).toEqual([undefined, true]);
  });
});

describe("a file that begins in the middle of a session", () => {
  it("says so of what it does not hold, instead of calling it the client's prompt", () => {
    const [first] = attribute(prompt(WORDS), request("s1", 287_000));
    expect(first?.parts.base).toBeUndefined();
    expect(first?.parts[BEFORE_FILE]).toBeCloseTo(287_000 - wordsAsPrompt, 6);
    expect(attribute(prompt(WORDS), request("s1", 60_000))[0]?.parts[BEFORE_FILE]).toBeUndefined();
  });

  it("learns the client's prompt from the first window that it holds whole", () => {
    const last = attribute(
      ...[request("s1", 287_000), compacted(), request("s2", 30_000)],
      ...[compacted(), request("s3", 55_000)],
    ).at(-1);
    expect(last?.parts).toEqual({ base: 30_000, withCompaction: 25_000 });
  });
});
