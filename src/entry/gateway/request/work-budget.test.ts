/** If red: the gateway gives up planning because another program is busy, or plans for longer than allowed. */
import { describe, expect, it } from "vitest";
import { createWorkBudget } from "./work-budget.ts";

/** Clocks that go as they are told. */
function createClocks() {
  let [wall, cpu] = [0, 0];
  return {
    wallMs: () => wall,
    cpuMs: () => cpu,
    pass(wallMs: number, cpuMs: number) {
      wall += wallMs;
      cpu += cpuMs;
    },
  };
}

describe("what a request may spend", () => {
  it("is not spent by waiting for a processor that others use", () => {
    const clocks = createClocks();
    const budget = createWorkBudget(50, clocks);
    budget.count(() => clocks.pass(1_000, 20));
    clocks.pass(5_000, 5_000);
    expect(budget.isSpent()).toBe(false);
  });

  it("is not spent by what other threads do meanwhile", () => {
    const clocks = createClocks();
    const budget = createWorkBudget(50, clocks);
    budget.count(() => clocks.pass(30, 200));
    expect(budget.isSpent()).toBe(false);
  });

  it("is spent by work, piece by piece, and within a piece", () => {
    const clocks = createClocks();
    const budget = createWorkBudget(50, clocks);
    budget.count(() => clocks.pass(40, 40));
    expect(budget.isSpent()).toBe(false);
    budget.count(() => {
      clocks.pass(20, 20);
      expect(budget.isSpent()).toBe(true);
    });
    expect(budget.isSpent()).toBe(true);
  });

  it("counts a piece that fails", () => {
    const clocks = createClocks();
    const budget = createWorkBudget(50, clocks);
    expect(() =>
      budget.count(() => {
        clocks.pass(60, 60);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(budget.isSpent()).toBe(true);
  });
});
