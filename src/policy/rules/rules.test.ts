import { describe, expect, it } from "vitest";
import { DOC_RULES, decideDocRules, isProjectDocument } from "./doc-rules.ts";
import { classifyLimit, decideLimitWarnings, type RateLimit } from "./rate-limits.ts";
import { EFFICIENCY_REMINDER, renderReminder } from "./render-reminder.ts";

describe("renderReminder", () => {
  it("[R147] repeats the rules and the plan, within half of what a start gives", () => {
    const text = renderReminder({
      rules: [{ name: "rules/a.md", text: "y".repeat(9000) }],
      plan: ".plimsoll/plan-x.md",
    });
    expect(text).toContain("Plan Context: .plimsoll/plan-x.md");
    expect(text).toContain("## rules/a.md");
    expect(text.length).toBeLessThan(2200);
  });

  it("[R148] asks for effort that matches the request, without preambles", () => {
    expect(renderReminder({ rules: [], plan: "" })).toBe(EFFICIENCY_REMINDER);
    expect(EFFICIENCY_REMINDER).toBe("Match effort to request complexity. No preambles.");
  });
});

describe("decideDocRules", () => {
  it.each([
    ["/p/docs/guide.md", true],
    ["/p/docs/deep/guide.md", true],
    ["/p/pkg/docs/guide.MD", true],
    ["docs/guide.md", true],
    ["/p/rules/guide.md", false],
    ["/p/docs/guide.ts", false],
    ["/elsewhere/docs/guide.md", false],
    ["/p/../docs/guide.md", false],
  ])("[R151] takes %s for a document of the project: %s", (path, expected) => {
    expect(isProjectDocument(path, "/p")).toBe(expected);
  });

  it("[R151] tells the conventions once a window, and keeps rules and documents apart", () => {
    const edit = { path: "/p/docs/a.md", project: "/p" };
    expect(decideDocRules({ ...edit, isTold: false })).toBe(DOC_RULES);
    expect(decideDocRules({ ...edit, isTold: true })).toBe("");
    expect(DOC_RULES).toMatch(/instructions to the agent belong in rules\//);
  });
});

describe("decideLimitWarnings", () => {
  const limit = (usedPercent: number, resetsAtMs = 1000): RateLimit => ({ name: "five_hour", usedPercent, resetsAtMs });

  it.each([
    [69.9, undefined],
    [70, "WARN"],
    [89.9, "WARN"],
    [90, "CRITICAL"],
  ])("[R149] classifies %s %% as %s", (percent, level) => {
    expect(classifyLimit(percent)).toBe(level);
  });

  it("[R149] warns once per threshold, and again in the next period", () => {
    const first = decideLimitWarnings([limit(72)], {});
    expect(first.warnings).toEqual([
      {
        level: "WARN",
        text: "WARN: five-hour rate limit: 72 % used. Prefer small steps; leave optional work for later.",
      },
    ]);
    expect(decideLimitWarnings([limit(80)], first.said).warnings).toEqual([]);
    const critical = decideLimitWarnings([limit(91)], first.said);
    expect(critical.warnings.map(({ level }) => level)).toEqual(["CRITICAL"]);
    expect(decideLimitWarnings([limit(89)], critical.said).warnings).toEqual([]);
    expect(decideLimitWarnings([limit(75, 2000)], critical.said).warnings).toHaveLength(1);
    expect(decideLimitWarnings([], critical.said).said).toEqual({});
  });
});
