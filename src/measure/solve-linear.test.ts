import fc from "fast-check";
import { expect, test } from "vitest";
import { solveLinear } from "./solve-linear.ts";

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
