import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/support/build.ts";
import { type Calibration, calibrate, type Observation, predictTokens, seedCalibration } from "./calibration.ts";
import { emptyLoad, LOAD_FIELDS, type Load, type LoadField } from "./load.ts";

const PLANTED: Load = {
  toolResult: 1.12,
  toolInput: 0.91,
  text: 1.15,
  prompt: 0.8,
  injected: 1.3,
  thinking: 0.85,
  calls: 95,
  results: 30,
  prompts: 20,
};

function arbitraryLoadUpTo(tokens: number): fc.Arbitrary<Load> {
  return fc.record({
    toolResult: fc.nat(tokens),
    toolInput: fc.nat(tokens / 4),
    text: fc.nat(tokens / 4),
    prompt: fc.nat(tokens / 4),
    injected: fc.nat(tokens / 4),
    thinking: fc.nat(tokens / 4),
    calls: fc.nat(4),
    results: fc.nat(4),
    prompts: fc.nat(2),
  });
}

const arbitraryLoad = arbitraryLoadUpTo(8000);

function predictPlanted(load: Load): number {
  return LOAD_FIELDS.reduce((sum, field) => sum + load[field] * PLANTED[field], 0);
}

/** Steps of a session in which the planted factors are the truth. */
function observePlanted(steps: number, arbitrary = arbitraryLoad): readonly Observation[] {
  return fc
    .sample(arbitrary, { numRuns: steps, seed: 7 })
    .map((load) => ({ load, growthTokens: predictPlanted(load) }));
}

const CONTENTS = ["toolResult", "toolInput", "text", "prompt", "injected", "thinking"] as const;
const FRAMES = ["calls", "results", "prompts"] as const;

/** The worst of some factors, as a share of what was planted. */
function measureMiss({ factors }: Calibration, fields: readonly LoadField[]): number {
  return Math.max(...fields.map((field) => Math.abs(factors[field] / PLANTED[field] - 1)));
}

/** How far the sum of all predictions lies from the truth, as a share of it. */
function measureError(calibration: Calibration, asked: readonly Observation[]): number {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const truth = sum(asked.map(({ load }) => predictPlanted(load)));
  return Math.abs(sum(asked.map(({ load }) => predictTokens(load, calibration))) / truth - 1);
}

const arbitraryObservations: fc.Arbitrary<readonly Observation[]> = fc.array(
  fc.record({ load: arbitraryLoad, growthTokens: fc.integer({ min: -50_000, max: 200_000 }) }),
  { maxLength: 30 },
);

describe("calibrate", () => {
  it("stays at the seed when there is nothing to learn from", () => {
    for (const tokenizer of ["classic", "dense"] as const)
      expect(calibrate([], tokenizer)).toEqual(seedCalibration(tokenizer));
    expect(seedCalibration("classic").steps).toBe(0);
  });

  it("recovers what planted contents weigh from the steps of a long session", () => {
    const seed = seedCalibration("classic");
    expect(measureMiss(seed, CONTENTS)).toBeGreaterThan(0.2);
    expect(measureMiss(calibrate(observePlanted(400), "classic"), CONTENTS)).toBeLessThan(0.06);
  });

  it("recovers what planted frames weigh from steps that hold little else", () => {
    const small = observePlanted(2000, arbitraryLoadUpTo(40));
    expect(measureMiss(seedCalibration("classic"), FRAMES)).toBeGreaterThan(0.4);
    expect(measureMiss(calibrate(small, "classic"), FRAMES)).toBeLessThan(0.1);
  });

  it("predicts unseen steps five times better after forty of them than from the seed", () => {
    const asked = observePlanted(240).slice(40);
    const learned = measureError(calibrate(observePlanted(40), "classic"), asked);
    expect(learned).toBeLessThan(measureError(seedCalibration("classic"), asked) / 5);
  });

  it("comes nearer to the truth with every tenfold of steps", () => {
    const misses = [4, 40, 400, 4000].map((steps) =>
      measureMiss(calibrate(observePlanted(steps), "classic"), CONTENTS),
    );
    expect(misses).toEqual([...misses].sort((left, right) => right - left));
  });

  it("stays near the seed after a single step, however far off it is", () => {
    const load = { ...emptyLoad, toolResult: 100 };
    const { factors } = calibrate([{ load, growthTokens: 300 }], "classic");
    expect(factors.toolResult).toBeGreaterThan(1);
    expect(factors.toolResult).toBeLessThan(1.2);
    expect(factors.text).toBe(1);
  });

  it("is not led astray by a few steps that carry what nobody recorded", () => {
    const honest = observePlanted(200);
    const disturbed = honest.map((step, index) =>
      index % 20 === 3 ? { ...step, growthTokens: step.growthTokens + 40_000 } : step,
    );
    // A mean that believed them would lie a fifth above the truth.
    const share = disturbed.reduce((sum, { growthTokens }) => sum + growthTokens, 0);
    expect(share / honest.reduce((sum, { growthTokens }) => sum + growthTokens, 0)).toBeGreaterThan(1.2);
    expect(measureError(calibrate(disturbed, "classic"), honest)).toBeLessThan(0.03);
  });

  it("tells how far it is off: little where the steps agree, much where they do not", () => {
    expect(calibrate(observePlanted(400), "classic").relativeError).toBe(0.02);
    const noisy = observePlanted(400).map((step, index) => ({
      ...step,
      growthTokens: step.growthTokens * (index % 2 === 0 ? 0.5 : 1.5),
    }));
    const { relativeError, steps } = calibrate(noisy, "classic");
    expect(relativeError).toBeGreaterThan(0.3);
    expect(steps).toBe(400);
  });

  it("starts from the seed of the model's own tokenizer", () => {
    const step: Observation = { load: { ...emptyLoad, text: 100 }, growthTokens: 100 };
    expect(calibrate([step], "classic").factors.calls).toBe(seedCalibration("classic").factors.calls);
    expect(calibrate([step], "dense").factors.prompts).toBe(seedCalibration("dense").factors.prompts);
    expect(seedCalibration("classic").factors).not.toEqual(seedCalibration("dense").factors);
  });

  it("gives finite factors, none below zero, whatever was observed", () => {
    fc.assert(
      fc.property(arbitraryObservations, fc.constantFrom("classic", "dense"), (observations, tokenizer) => {
        const { factors, relativeError } = calibrate(observations, tokenizer);
        for (const field of LOAD_FIELDS) {
          expect(Number.isFinite(factors[field])).toBe(true);
          expect(factors[field]).toBeGreaterThanOrEqual(0);
        }
        expect(relativeError).toBeGreaterThanOrEqual(0.02);
      }),
    );
  });

  it("gives the same for the same, and changes nothing it was given", () => {
    fc.assert(
      fc.property(arbitraryObservations, (observations) => {
        const frozen = deepFreeze(observations);
        expect(calibrate(frozen, "dense")).toEqual(calibrate(structuredClone(frozen), "dense"));
      }),
    );
  });

  it("knows no order among the steps", () => {
    fc.assert(
      fc.property(arbitraryObservations, (observations) => {
        const forwards = calibrate(observations, "dense").factors;
        const backwards = calibrate([...observations].reverse(), "dense").factors;
        for (const field of LOAD_FIELDS) expect(backwards[field]).toBeCloseTo(forwards[field], 5);
      }),
    );
  });
});

describe("predictTokens", () => {
  it("is linear: twice the load is twice the tokens, and loads add up", () => {
    fc.assert(
      fc.property(arbitraryLoad, arbitraryLoad, fc.integer({ min: 0, max: 9 }), (left, right, times) => {
        const calibration: Calibration = { factors: PLANTED, relativeError: 0.1, steps: 1 };
        const combine = (share: number): Load => {
          const total = { ...emptyLoad };
          for (const field of LOAD_FIELDS) total[field] = left[field] * times + right[field] * share;
          return total;
        };
        expect(predictTokens(combine(1), calibration)).toBeCloseTo(
          times * predictTokens(left, calibration) + predictTokens(right, calibration),
          4,
        );
      }),
    );
  });

  it("starts from frames as they were measured: 64 to 85 tokens a call, 8 to 25 a result, whatever the tokenizer", () => {
    for (const tokenizer of ["classic", "dense"] as const) {
      const frame = (field: LoadField): number =>
        predictTokens({ ...emptyLoad, [field]: 1 }, seedCalibration(tokenizer));
      expect(frame("calls")).toBeGreaterThanOrEqual(64);
      expect(frame("calls")).toBeLessThanOrEqual(85);
      expect(frame("results")).toBeGreaterThanOrEqual(8);
      expect(frame("results")).toBeLessThanOrEqual(25);
      expect(frame("prompts")).toBeLessThanOrEqual(30);
    }
  });

  it("takes nothing for nothing, and a seed token for a token", () => {
    const seed = seedCalibration("dense");
    expect(predictTokens(emptyLoad, seed)).toBe(0);
    expect(predictTokens({ ...emptyLoad, toolResult: 1000, results: 1 }, seed)).toBe(1016);
  });
});
