import { expect, it } from "vitest";
import { renderCritical, renderCriticalUnsaved, renderOrange, renderWarning, renderYellow } from "./render-advisory.ts";

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
