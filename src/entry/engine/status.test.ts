/** If red: the status line shows a guess as a measurement, or a budget that has passed is not shown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClient } from "../../../test/support/fake-client.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { renderGauge } from "../../measure/status-line.ts";
import { openLive } from "./open-live.ts";
import { checkBudget } from "./status.ts";

function health(given: Partial<Health>): Health {
  return { ...assessHealth(emptyMeter), compactionPointTokens: 160_000, level: "GREEN", confidence: "exact", ...given };
}

describe("the status line", () => {
  it.each([
    [0, "⊖ ░░░░░░░░░░ 0 % of 160k"],
    [40_000, "⊖ ██▌░░░░░░░ 25 % of 160k"],
    [80_000, "⊖ █████░░░░░ 50 % of 160k"],
    [160_000, "⊖ ██████████ 100 % of 160k"],
    [900_000, "⊖ ██████████ 100 % of 160k"],
  ])("shows %d tokens as %s", (usedTokens, line) => {
    expect(renderGauge(health({ usedTokens }))).toBe(line);
  });

  it("says when it is a guess, and when it is getting full", () => {
    expect(renderGauge(health({ usedTokens: 150_000, confidence: "estimated", level: "RED" }))).toBe(
      "⊖ █████████▍ ≈94 % of 160k RED",
    );
  });

  it("counts large windows in millions", () => {
    expect(renderGauge(health({ usedTokens: 0, compactionPointTokens: 1_250_000 }))).toContain("of 1.3M");
  });

  it("says what it knows before the first answer", () => {
    expect(renderGauge(health({ usedTokens: undefined, toolCalls: 7 }))).toBe("⊖ 7 tool calls, size not known yet");
  });

  it("has ten cells, always", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (usedTokens, compactionPointTokens) => {
          const [, bar = ""] = renderGauge(health({ usedTokens, compactionPointTokens })).split(" ");
          expect([...bar]).toHaveLength(10);
        },
      ),
    );
  });
});

describe("a budget in the client", () => {
  it.each([".claude/data/plimsoll", ".local/share/plimsoll/data/plimsoll"])(
    "is checked by the program at the end of a turn, at most once a minute, and what has passed is shown: %s",
    async (data) => {
      const fake = createFakeClient();
      let nowMs = 1_800_000_000_000;
      const live = await openLive(fake.client, { ...fake.machine, nowMs: () => nowMs });
      await checkBudget(fake.client, live);
      const program = `${fake.home}/plimsoll.cjs`;
      fake.files.set(program, 'console.log("budget: " + process.argv.slice(2).join(" "));');
      const plan = { budgets: [{ span: "day", limitUsd: 6 }], program: [process.execPath, program] };
      fake.files.set(`${fake.home}/${data}/budget.json`, JSON.stringify(plan));
      for (const passedMs of [1_000, 61_000, 1_000, 61_000]) {
        nowMs += passedMs;
        await checkBudget(fake.client, live);
      }
      expect(fake.logs).toEqual(Array(2).fill("budget: budget --check"));
    },
  );
});
