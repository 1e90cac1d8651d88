/** If red: the list of what fills the window leaves out a part, or a tool's name steers the terminal. */
import { expect, test } from "vitest";
import { renderParts } from "./render-parts.ts";

test("the parts stand largest first, in words, with what nobody recorded last", () => {
  const parts = { base: 20_000, "result:Read": 50_000, thinking: 3000, prompt: 0.2 };
  expect(renderParts({ step: 0, contextTokens: 80_000, parts, unexplainedTokens: 6999.8 })).toMatchInlineSnapshot(`
    "  results of Read          50.0k   63 %
      system prompt and tools  20.0k   25 %
      thinking                  3.0k  3.8 %
      unaccounted               7.0k  8.7 %"
  `);
});

test("what came unrecorded is told by what it came with, and damaged lines next to what nobody can explain", () => {
  const parts = { base: 40_000, withCompaction: 27_000, withPrompt: 3000 };
  expect(
    renderParts({ step: 0, contextTokens: 80_000, parts, unexplainedTokens: 10_000 }, { damagedLines: 28 }),
  ).toMatchInlineSnapshot(`
    "  system prompt and tools                     40.0k   50 %
      added with the compaction (not recorded)    27.0k   34 %
      added with your prompts (not recorded)       3.0k  3.8 %
      unaccounted (28 damaged lines in the file)  10.0k   13 %"
  `);
});

test("what was cleared without telling is shown below zero", () => {
  expect(renderParts({ step: 0, contextTokens: 1000, parts: { base: 1500 }, unexplainedTokens: -500 })).toMatch(
    /unaccounted +-500 +-50\.0 %$/,
  );
});

test("a tool's name cannot steer the terminal", () => {
  const parts = { "result:\u001b[31mBash\nfake line": 10 };
  const shown = renderParts({ step: 0, contextTokens: 10, parts, unexplainedTokens: 0 });
  expect(shown).not.toContain("\u001b");
  expect(shown.split("\n").length).toBe(2);
});

test("a request of nothing has no shares", () => {
  expect(renderParts({ step: 0, contextTokens: 0, parts: {}, unexplainedTokens: 0 })).toBe("  unaccounted  0  0.0 %");
});

test("tells parts together that nobody would look at one by one, and nothing is missing from the sum", () => {
  const parts = { base: 9000, "result:Read": 900, "result:Bash": 60, "result:Grep": 40 };
  const attribution = { step: 0, contextTokens: 10_000, parts, unexplainedTokens: 0 };
  const shown = renderParts(attribution, { leastShare: 0.01 });
  expect(shown).toMatch(/2 smaller parts \(plimsoll inspect\) +100 +1\.0 %/);
  expect(shown).not.toContain("Bash");
  expect(renderParts(attribution)).toContain("results of Grep");
});

test("no line is wider than the terminal: names are cut, numbers are not", () => {
  const attribution = { step: 0, contextTokens: 80_000, parts: { withPrompt: 70_000 }, unexplainedTokens: 10_000 };
  const lines = renderParts(attribution, { columns: 40 }).split("\n");
  expect(lines.every((line) => line.length <= 40)).toBe(true);
  expect(lines[0]).toMatch(/… +70\.0k +88 %$/);
});
