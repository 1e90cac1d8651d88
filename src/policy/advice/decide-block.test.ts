/** If red: calls are refused without end at RED, or refused where the window is not full. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import type { Profile } from "../../measure/level.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { type BlockQuestion, type BlockState, decideBlock, emptyBlockState } from "./decide-block.ts";

const measured = (percent: number, compactions = 0, profile: Profile = "percent"): Health => ({
  ...assessHealth(
    { ...emptyMeter, toolCalls: 121 },
    { client: { usedTokens: percent * 2000, windowTokens: 200_000 }, profile },
  ),
  compactions,
});
const ask = (health: Health, more: Partial<BlockQuestion> = {}): BlockQuestion => ({
  health,
  purpose: "other",
  isOverridden: false,
  nowMs: 0,
  ...more,
});
const RED = ask(measured(90));

/** Whether each call of a row is blocked. */
function block(questions: readonly BlockQuestion[]): readonly boolean[] {
  let state: BlockState = emptyBlockState;
  return questions.map((question) => {
    const step = decideBlock(state, question);
    state = step.state;
    return step.why !== undefined;
  });
}

describe("a confirmed RED", () => {
  it("[R33] blocks a call with the reason and the way out", () => {
    expect(decideBlock(emptyBlockState, RED).why).toBe(
      "context usage is critical (measured): run /compact (refusal 1 of 3; after the last one, calls are allowed again)",
    );
  });

  it("[R114] blocks by number of calls only where the measured size says RED as well", () => {
    expect(block([ask(measured(95, 0, "calls"))])).toEqual([true]);
  });

  it("[R33] blocks no longer once the compaction has happened", () => {
    expect(block([RED, ask(measured(20, 1))])).toEqual([true, false]);
  });

  it("[R33] does not block again after a compaction that did not help, until a reading was below RED", () => {
    const after = ask(measured(90, 1));
    expect(block([RED, after, after, ask(measured(60, 1)), after])).toEqual([true, false, false, false, true]);
  });

  it("[R33] stays asleep after a compaction until the size is measured again", () => {
    const estimated: Health = { ...measured(20, 1), source: "estimate", confidence: "estimated" };
    expect(block([RED, ask(estimated), ask(measured(90, 1))])).toEqual([true, false, false]);
  });

  it("[R33] lets go after three refusals", () => {
    expect(block([RED, RED, RED, RED, RED])).toEqual([true, true, true, false, false]);
  });

  it("[R33] lets go ten minutes after the first refusal, and when the clock was set back", () => {
    const later = (nowMs: number): BlockQuestion => ({ ...RED, nowMs });
    expect(block([later(0), later(599_999), later(600_000)])).toEqual([true, true, false]);
    expect(block([later(1000), later(999)])).toEqual([true, false]);
    expect(block([later(Number.NaN), later(1)])).toEqual([true, false]);
  });
});

describe("never blocked is", () => {
  it.each([
    ["[R33] anything, where the environment overrides it", { ...RED, isOverridden: true }],
    ["[R33] saving", { ...RED, purpose: "save" as const }],
    ["[R33] looking", { ...RED, purpose: "look" as const }],
    ["[R34] a call at ORANGE", ask(measured(85))],
    ["[R34] a call at YELLOW", ask(measured(60))],
    ["[R34] call 119", ask(assessHealth({ ...emptyMeter, toolCalls: 119 }))],
    ["[R114] call 121, by its number alone", ask(assessHealth({ ...emptyMeter, toolCalls: 121 }))],
    ["[R114] call 121 in a window that is nearly empty", ask(measured(10, 0, "calls"))],
    ["[R114] a call at an estimated RED", ask({ ...measured(90), source: "estimate", confidence: "estimated" })],
  ])("%s", (_what, question) => {
    expect(block([question, question])).toEqual([false, false]);
  });
});

describe("whatever is asked", () => {
  const anyQuestion: fc.Arbitrary<BlockQuestion> = fc.record({
    health: fc
      .tuple(fc.integer({ min: 1, max: 100 }), fc.nat(3))
      .map(([percent, compactions]) => measured(percent, compactions)),
    purpose: fc.constantFrom("save", "look", "other", "other", "other"),
    isOverridden: fc.boolean(),
    nowMs: fc.oneof(fc.nat(1_000_000), fc.constant(Number.NaN)),
  });

  it("[R33] refuses at most three calls between two compactions: no loop", () => {
    fc.assert(
      fc.property(fc.array(anyQuestion, { maxLength: 80 }), (questions) => {
        let refusals = 0;
        let compactions: number | undefined;
        for (const [index, isBlocked] of block(questions).entries()) {
          const now = questions[index]?.health.compactions;
          if (now !== compactions) refusals = 0;
          compactions = now;
          refusals += isBlocked ? 1 : 0;
          expect(refusals).toBeLessThanOrEqual(3);
        }
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("[R33] refuses nothing at all in a session that is RED after every compaction", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 1, maxLength: 40 }), (steps) => {
        let compactions = 0;
        const questions = steps.map((step) => {
          compactions += step;
          return ask(measured(95, compactions));
        });
        const first = questions[0]?.health.compactions;
        const later = block(questions).filter((_, index) => questions[index]?.health.compactions !== first);
        expect(later).not.toContain(true);
      }),
    );
  });
});
