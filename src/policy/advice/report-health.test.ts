/** If red: the health report leaves out the open work or grows past its 800 characters. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { story } from "../../../test/support/story.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { renderContextBudget } from "./render-context-budget.ts";
import { type CriticalContext, describeWork, renderHealthReport } from "./report-health.ts";

describe("what a report says of the work", () => {
  it("is nothing where nothing was followed", () => {
    expect(describeWork(undefined)).toEqual({ task: "", phase: "", filesTouched: [], blockers: [] });
  });

  it("is the first open piece of work, the files that were changed, and the errors that stand", () => {
    const happened = story()
      .asks("Paint the load line.")
      .calls("Read", { file_path: "/p/read.ts" }, "1→a")
      .calls("Write", { file_path: "/p/hull.ts", content: "x" }, "ok")
      .calls("TodoWrite", { todos: [{ content: "Caulk the hull", status: "in_progress" }] }, "ok")
      .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: cannot resolve oakum", { isError: true })
      .happened();
    const work = describeWork(happened);
    expect(work.task).toBe("Caulk the hull");
    expect(work.filesTouched).toEqual(["/p/hull.ts"]);
    expect(work.blockers).toEqual([expect.stringContaining("cannot resolve oakum")]);
    expect(work.phase).not.toBe("");
  });

  it("is where to go on when no work is named, and no error that was resolved", () => {
    const happened = story()
      .asks("Run the build until it passes.")
      .calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: cannot resolve oakum", { isError: true })
      .calls("Bash", { command: "npm run build" }, "built")
      .happened();
    const { task, blockers } = describeWork(happened);
    expect(task).not.toBe("");
    expect(blockers).toEqual([]);
  });

  it("names the failure that stands in the way, and none that was passed over", () => {
    let session = story().asks("Try it.");
    for (const name of ["one", "two", "three"])
      session = session.calls("Bash", { command: `make ${name}` }, `Exit code 2\nerror: no rule for ${name}`, {
        isError: true,
      });
    const { blockers } = describeWork(session.happened());
    expect(blockers).toEqual(["error: no rule for three"]);
  });
});

const counted = (toolCalls: number): Health => assessHealth({ ...emptyMeter, toolCalls });
const measured = (percent: number): Health =>
  assessHealth(
    { ...emptyMeter, toolCalls: 34 },
    { client: { usedTokens: percent * 2000, windowTokens: 200_000 }, profile: "percent" },
  );
const critical: CriticalContext = {
  task: "refund an order",
  phase: "implementation",
  decisionsSaved: 3,
  filesTouched: ["src/orders/order.ts", "src/orders/refund-order.ts"],
  blockers: ["the tax table is missing"],
};

describe("the report", () => {
  it("[R13, R35, R36] by tool calls has the counts, the note and the critical context", () => {
    expect(renderHealthReport(counted(57), { critical })).toMatchInlineSnapshot(`
      "## Context Health
      - **Tool Calls**: 57
      - **Status**: YELLOW
      - **Recommendation**: load-essential-only
      - **Note**: Tool count is a directional proxy. Check CLI status bar for actual context usage.

      ### Critical Context (preserved on compaction)
      - Task: refund an order
      - Phase: implementation
      - Decisions: 3 saved to .plimsoll/
      - Files touched: src/orders/refund-order.ts, src/orders/order.ts
      - Blockers: the tax table is missing"
    `);
  });

  it("[R35, R36] by measured size has the utilisation instead of the note", () => {
    expect(renderHealthReport(measured(61), { critical: { ...critical, blockers: [] } })).toMatchInlineSnapshot(`
      "## Context Health
      - **Utilization**: 61%
      - **Status**: YELLOW
      - **Tool Calls**: 34
      - **Recommendation**: load-essential-only

      ### Critical Context (preserved on compaction)
      - Task: refund an order
      - Phase: implementation
      - Decisions: 3 saved to .plimsoll/
      - Files touched: src/orders/refund-order.ts, src/orders/order.ts
      - Blockers: none"
    `);
  });

  it.each([
    [0, "GREEN", "continue"],
    [50, "YELLOW", "load-essential-only"],
    [80, "ORANGE", "compact-at-boundary"],
    [121, "RED", "compact-immediately"],
  ])("[R35] of %i calls is %s and recommends %s", (calls, level, recommendation) => {
    const report = renderHealthReport(counted(calls), { critical });
    expect(report).toContain(`- **Status**: ${level}\n- **Recommendation**: ${recommendation}\n`);
  });

  it("[R28] names the boundary from ORANGE on", () => {
    const boundary = "end of src/a.ts, after its tests pass";
    expect(renderHealthReport(counted(80), { critical, boundary })).toContain(
      "\n- boundary: end of src/a.ts, after its tests pass\n",
    );
    expect(renderHealthReport(counted(79), { critical, boundary })).not.toContain("boundary:");
  });

  it("[R10] shows the newest files where there is no room for all, and how many more there are", () => {
    const filesTouched = Array.from({ length: 60 }, (_, index) => `src/module-${index}/file-${index}.ts`);
    const line = renderHealthReport(counted(80), { critical: { ...critical, filesTouched } })
      .split("\n")
      .find((text) => text.startsWith("- Files touched"));
    expect(line).toMatch(/^- Files touched: src\/module-59\/file-59\.ts, src\/module-58\/.*, and \d+ more$/);
  });

  it("[R10] stays within 800 characters however long the names of the files are", () => {
    for (let length = 1; length < 300; length++) {
      const filesTouched = Array.from({ length: 9 }, () => "x".repeat(length));
      const report = renderHealthReport(counted(80), { critical: { ...critical, filesTouched } });
      expect(report.length, `${length}`).toBeLessThanOrEqual(800);
    }
  });

  it("[R10] stays within 800 characters, and keeps all its lines, whatever it is told", () => {
    const anyText = fc.string({
      maxLength: 400,
      unit: fc.constantFrom("a", "/", " ", "\n", "\r", "\u2028", "é", "😀"),
    });
    const anyFacts = fc.record({
      critical: fc.record({
        task: anyText,
        phase: anyText,
        decisionsSaved: fc.nat(),
        filesTouched: fc.array(anyText, { maxLength: 40 }),
        blockers: fc.array(anyText, { maxLength: 5 }),
      }),
      boundary: anyText,
    });
    const anyHealth = fc.oneof(fc.nat(400).map(counted), fc.integer({ min: 1, max: 120 }).map(measured));
    fc.assert(
      fc.property(anyHealth, anyFacts, (health, facts) => {
        const budget = { baselineTokens: 40_123, windowTokens: 200_000, isRecorded: true };
        const behind = `\n${renderContextBudget(budget)}`;
        expect(renderHealthReport(health, { ...facts, behind }).length).toBeLessThanOrEqual(800);
        const report = renderHealthReport(health, facts);
        expect(report.length).toBeLessThanOrEqual(800);
        const isHeavy = health.level === "ORANGE" || health.level === "RED";
        expect(report.split("\n")).toHaveLength(isHeavy ? 13 : 12);
        expect(report).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      }),
      { numRuns: tries(40, 300) },
    );
  });
});
