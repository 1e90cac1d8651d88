/** If red: a guess is quoted as a percentage, or a number without its source. */
import { describe, expect, it } from "vitest";
import { assessHealth, type Health } from "../../measure/health.ts";
import type { Profile } from "../../measure/level.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { renderCritical, renderCriticalUnsaved, renderOrange, renderWarning, renderYellow } from "../steps/measured.ts";
import { measurePercent, noteQuote, quoteHealth } from "./quote-health.ts";

const measured = (usedTokens: number, profile: Profile, toolCalls = 12): Health =>
  assessHealth({ ...emptyMeter, toolCalls }, { client: { usedTokens, windowTokens: 200_000 }, profile });
const counted: Health = assessHealth({ ...emptyMeter, toolCalls: 12 });
const estimated: Health = assessHealth({ ...emptyMeter, toolCalls: 12, compactions: 1 });

describe("the number that is quoted", () => {
  it("is the measured share of the window by the profiles that go by size", () => {
    expect(quoteHealth(measured(130_000, "measured"))).toEqual({ kind: "percent", percent: 65 });
    expect(quoteHealth(measured(130_000, "percent"))).toEqual({ kind: "percent", percent: 65 });
  });

  it("is the number of tool calls by the profile that goes by calls, also where a size is known", () => {
    expect(quoteHealth(measured(130_000, "calls"))).toEqual({ kind: "calls", toolCalls: 12 });
  });

  it("[R13] is never a guessed percentage: an estimate and an unknown size quote tool calls", () => {
    expect(estimated).toMatchObject({ source: "estimate" });
    expect(quoteHealth(estimated)).toEqual({ kind: "calls", toolCalls: 12 });
    expect(quoteHealth(counted)).toEqual({ kind: "calls", toolCalls: 12 });
  });

  it("counts the calls since the last compaction", () => {
    const after = assessHealth({ ...emptyMeter, toolCalls: 12, callsBefore: 10 });
    expect(quoteHealth(after)).toEqual({ kind: "calls", toolCalls: 2 });
  });

  it("is no percentage where the window has no size", () => {
    expect(measurePercent({ ...measured(130_000, "percent"), windowTokens: 0 })).toBeUndefined();
  });
});

describe("the note next to it", () => {
  it("[R13] calls a tool count directional", () => {
    expect(noteQuote(quoteHealth(counted), counted)).toBe(
      "Tool count is a directional proxy. Check CLI status bar for actual context usage.",
    );
  });

  it("names the source of a percentage, and the load line where that decides", () => {
    const byLine = measured(130_000, "measured");
    expect(noteQuote(quoteHealth(byLine), byLine)).toBe(
      "share of the window (measured by the agent itself); 78% of the 167000 tokens at which the agent compacts",
    );
    const byWindow = measured(130_000, "percent");
    expect(noteQuote(quoteHealth(byWindow), byWindow)).toBe("share of the window (measured by the agent itself)");
  });
});

const calls = { kind: "calls", toolCalls: 50 } as const;
const percent = { kind: "percent", percent: 61.4 } as const;

it.each([
  [
    "[R26] YELLOW by calls",
    renderYellow(calls),
    "50 tool calls. Load only essential files. Avoid reading full files when Grep will do.",
  ],
  [
    "[R26] YELLOW by percentage",
    renderYellow(percent),
    "Context at 61%. Load only essential files. Avoid reading full files when Grep will do.",
  ],
  [
    "[R27] ORANGE by calls",
    renderOrange(calls),
    "50 tool calls. Recommend /compact at next phase boundary (after current module completes).",
  ],
  [
    "[R27] ORANGE by percentage",
    renderOrange(percent),
    "Context at 61%. Recommend /compact at next phase boundary (after current module completes).",
  ],
  [
    "[R32] RED by calls",
    renderCritical(calls),
    "Context CRITICAL (50 tool calls, likely near limit). State saved to .plimsoll/. Run /compact now.",
  ],
  [
    "[R32] RED by percentage",
    renderCritical(percent),
    "Context CRITICAL (61%). State saved to .plimsoll/. Run /compact now.",
  ],
  ["[R21] WARNING", renderWarning(69.6), "Context at ~70%. Consider /compact at next phase boundary"],
])("%s is worded exactly so", (_which, text, wording) => {
  expect(text).toBe(wording);
});

it("[R32] claims no save where there was none", () => {
  const text = renderCriticalUnsaved(percent, "the disk is full");
  expect(text).toBe(
    "Context CRITICAL (61%). State NOT saved: the disk is full. Note what matters before you run /compact.",
  );
  expect(text).not.toContain("State saved");
});
