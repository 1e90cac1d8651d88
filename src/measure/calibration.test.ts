/** If red: token estimates stay as far off in a long session as they were at its start. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { deepFreeze } from "../../test/support/build.ts";
import {
  type Calibration,
  calibrate,
  type Observation,
  predictTokens,
  seedCalibration,
  solveLinear,
} from "./calibration.ts";
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

  it("starts from the seed of the model's own tokenizer", () => {
    const step: Observation = { load: { ...emptyLoad, text: 100 }, growthTokens: 100 };
    expect(calibrate([step], "classic").factors.calls).toBe(seedCalibration("classic").factors.calls);
    expect(calibrate([step], "dense").factors.prompts).toBe(seedCalibration("dense").factors.prompts);
    expect(seedCalibration("classic").factors).not.toEqual(seedCalibration("dense").factors);
  });

  it("gives finite factors, none below zero, whatever was observed", () => {
    fc.assert(
      fc.property(arbitraryObservations, fc.constantFrom("classic", "dense"), (observations, tokenizer) => {
        const { factors } = calibrate(observations, tokenizer);
        for (const field of LOAD_FIELDS) {
          expect(Number.isFinite(factors[field])).toBe(true);
          expect(factors[field]).toBeGreaterThanOrEqual(0);
        }
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
        const calibration: Calibration = { factors: PLANTED, steps: 1 };
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

function expectClose(solution: readonly number[], wanted: readonly number[]): void {
  expect(solution.length).toBe(wanted.length);
  for (const [index, value] of wanted.entries()) expect(solution[index]).toBeCloseTo(value, 6);
}

test("a system of one equation is a division", () => {
  expect(solveLinear([[4]], [10])).toEqual([2.5]);
  expect(solveLinear([], [])).toEqual([]);
});

test("known systems have their known solutions", () => {
  expectClose(
    solveLinear(
      [
        [2, 1, -1],
        [-3, -1, 2],
        [-2, 1, 2],
      ],
      [8, -11, -3],
    ),
    [2, 3, -1],
  );
  expectClose(
    solveLinear(
      [
        [1, 0],
        [0, 1],
      ],
      [7, -7],
    ),
    [7, -7],
  );
});

test("a zero on the diagonal is no obstacle: the rows change places", () => {
  expectClose(
    solveLinear(
      [
        [0, 2, 1],
        [1, 0, 0],
        [3, 0, 1],
      ],
      [5, 1, 4],
    ),
    [1, 2, 1],
  );
});

test("a row much smaller than the others does not spoil the rest", () => {
  expectClose(
    solveLinear(
      [
        [1e-9, 1],
        [1, 1],
      ],
      [1, 2],
    ),
    [1, 1],
  );
});

test("an unknown that no equation mentions becomes zero, and the others keep their solution", () => {
  expect(
    solveLinear(
      [
        [2, 0, 0],
        [0, 0, 0],
        [0, 0, 5],
      ],
      [4, 0, 10],
    ),
  ).toEqual([2, 0, 2]);
});

test("equations that repeat one another give finite numbers that solve them", () => {
  const solution = solveLinear(
    [
      [1, 1],
      [2, 2],
    ],
    [3, 6],
  );
  expect(solution.every(Number.isFinite)).toBe(true);
  expect((solution[0] ?? 0) + (solution[1] ?? 0)).toBeCloseTo(3, 9);
});

test("nothing that is given is changed", () => {
  const matrix = Object.freeze([Object.freeze([0, 1]), Object.freeze([1, 0])]);
  expectClose(solveLinear(matrix, Object.freeze([2, 3])), [3, 2]);
});

test("whatever solution is planted in a system far from singular is found", () => {
  const cell = fc.integer({ min: -9, max: 9 });
  const planted = fc
    .integer({ min: 1, max: 6 })
    .chain((size) =>
      fc.tuple(
        fc.array(fc.array(cell, { minLength: size, maxLength: size }), { minLength: size, maxLength: size }),
        fc.array(fc.integer({ min: -100, max: 100 }), { minLength: size, maxLength: size }),
      ),
    );
  fc.assert(
    fc.property(planted, ([cells, solution]) => {
      // A heavy diagonal keeps the system solvable; turning the rows makes pivoting necessary.
      const heavy = cells.map((row, index) => row.map((value, column) => value + (index === column ? 100 : 0)));
      const matrix = [...heavy.slice(1), ...heavy.slice(0, 1)];
      const vector = matrix.map((row) => row.reduce((sum, value, column) => sum + value * (solution[column] ?? 0), 0));
      expectClose(solveLinear(matrix, vector), solution);
    }),
  );
});
