/** If red: code that grows with the square of its input passes as proportional. */
import { describe, expect, it } from "vitest";
import { expectProportional } from "./expect-proportional.ts";

/** So much work for the processor, and no chance for the compiler to leave it out. */
let sink = 0;
const spin = (steps: number): void => {
  for (let step = 0; step < steps; step++) sink = (sink * 31 + step) % 1_000_003;
};

describe("what takes time in proportion to its size", () => {
  it("is told from what takes its square, whatever else the machine does", () => {
    expect(() => expectProportional(40_000, (size) => spin(size * 400))).not.toThrow();
    expect(() => expectProportional(6000, (size) => spin(size * size))).toThrow();
    expect(() => expectProportional(6000, (size) => spin(size * size), { degree: 2 })).not.toThrow();
    expect(sink).toBeGreaterThanOrEqual(0);
  });
});
