/** If red: finished tasks are looked for after every call, or too late before a compaction. */
import { expect, it } from "vitest";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { assessHealth } from "../../measure/health.ts";
import { createMeter } from "../../measure/meter.ts";
import { isColdTrigger, measureColdMoment } from "./is-look-due.ts";

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
