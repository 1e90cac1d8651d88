/** If red: finished tasks are looked for after every call, or too late before a compaction. */
import { expect, it } from "vitest";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { assessHealth } from "../../measure/health.ts";
import { createMeter } from "../../measure/meter.ts";
import { isColdLookDue, isColdTrigger, measureColdMoment, parseColdState } from "./is-look-due.ts";

it.each([
  ["Bash", true],
  ["Write", true],
  ["Edit", true],
  ["Read", false],
  ["Grep", false],
  ["TaskUpdate", false],
] as const)("[R157] looks for cold tasks after Bash, Write and Edit only: %s %s", (tool, isDue) => {
  expect(isColdTrigger(claudeCodeVocabulary.interpretCall(tool, {}))).toBe(isDue);
});

it("[R159] measures the way to the line, not the raw window, where the client compacts earlier", () => {
  const usage = {
    inputTokens: 150_000,
    cacheReadTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: 0,
  };
  const fed = createMeter();
  fed.feed({
    kind: "output",
    origin: "",
    atMs: 0,
    stepId: "a",
    model: "claude-sonnet-5",
    usage,
    isOutputFinal: true,
    blocks: [],
  });
  const percent = (lineTokens: number | undefined) =>
    measureColdMoment(assessHealth(fed.state(), lineTokens === undefined ? {} : { settings: { lineTokens } }))
      .usedPercent;
  expect(percent(undefined)).toBeLessThan(20);
  expect(percent(168_000)).toBeCloseTo(89.3, 1);
});

it("[R159] guesses no way to the line: not from a size that is not exact, nor to a line that nobody knows", () => {
  const health = assessHealth(createMeter().state());
  const exact = { ...health, confidence: "exact", usedTokens: 50, compactionPointTokens: 200, toolCalls: 7 } as const;
  expect(measureColdMoment(exact)).toEqual({ usedPercent: 25, calls: 7 });
  for (const unknown of [{ confidence: "estimated" }, { usedTokens: undefined }, { compactionPointTokens: 0 }] as const)
    expect(measureColdMoment({ ...exact, ...unknown })).toEqual({ usedPercent: undefined, calls: 7 });
});

it("[R158] is worth a look at the saved state only after a change above the threshold, ten calls after the last", () => {
  const run = claudeCodeVocabulary.interpretCall("Bash", { command: "make" });
  const read = claudeCodeVocabulary.interpretCall("Read", { file_path: "/p/a.ts" });
  const isDue = (usedPercent: number | undefined, calls: number, lastCheckCalls?: number, action = run) =>
    isColdLookDue(
      action,
      { usedPercent, calls },
      lastCheckCalls === undefined ? undefined : parseColdState({ lastCheckCalls }),
    );
  expect([isDue(undefined, 9), isDue(69.9, 9), isDue(70, 9), isDue(70, 9, undefined, read)]).toEqual([
    ...[false, false, true, false],
  ]);
  // 19 and 20 calls after ten of them, none since, and fewer than there were: a conversation that was rewound.
  expect([isDue(80, 19, 10), isDue(80, 20, 10), isDue(80, 10, 10), isDue(80, 9, 10)]).toEqual([
    ...[false, true, false, true],
  ]);
});

it("reads a saved state, and begins at nothing where there is none", () => {
  expect(parseColdState({ lastCheckTurn: 3, lastCheckCalls: 4 })).toEqual({ lastCheckTurn: 3, lastCheckCalls: 4 });
  expect(parseColdState({})).toEqual({ lastCheckTurn: 0, lastCheckCalls: 0 });
});
