/** If red: rules are repeated too often, conventions are checked wrongly, or limits are not warned of. */

import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import type { ReportedLimit } from "../../measure/describe-limits.ts";
import { INITIAL_POLICY } from "../policy-state.ts";
import { DEFAULT_SETTINGS } from "../settings/settings.ts";
import { checkDocument, documentChanged, isProjectDocument } from "../steps/document-changed.ts";
import { EFFICIENCY_REMINDER, renderReminder } from "../steps/said.ts";
import { classifyLimit, decideLimitWarnings } from "./rate-limits.ts";

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

describe("conventions for documents", () => {
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

  const check = (after: string, before = "") =>
    checkDocument({ path: "docs/a.md", before, after }).map(({ name }) => name);

  it.each([
    ["- Always run the tests before a commit.", "instructions"],
    ["Claude must ask before it deletes a file.", "instructions"],
    ["**You must never push to main.**", "instructions"],
    ["The new keel is 12 times faster.", "figures"],
    ["A build takes about 340 seconds.", "figures"],
    ["# Hull\n\nText.\n\n# Mast", "one-subject"],
    ["## Update\n\nThe keel is lead now.", "append"],
    [`${"The hull is planked with oak. ".repeat(5)}\n\n${"The hull is planked with oak. ".repeat(5)}`, "repeat"],
  ])("[R151] names what %j breaks", (text, name) => {
    expect(check(text)).toEqual([name]);
  });

  it.each([
    "# Hull\n\nThe hull is planked with oak.",
    "You can always go back. The model never said so.",
    "Measured on 2026-01-02: 12 % of the requests.",
    "Requests end after 30 seconds.",
    "```\n# a comment\n# another\nAlways run this.\n```",
  ])("[R151] finds nothing in %j", (text) => {
    expect(check(text)).toEqual([]);
  });

  it("[R151] holds only what the change brought against them", () => {
    const old = "- Always run the tests.\n";
    expect(check(`${old}The hull is oak.\n`, old)).toEqual([]);
    expect(check(`${old}- Never push to main.\n`, old)).toEqual(["instructions"]);
  });

  it("[R151] tells each breach once a window and document, and keeps rules and documents apart", () => {
    const after = "- Always run the tests.";
    const change = (path: string, state = INITIAL_POLICY, settings = DEFAULT_SETTINGS) => {
      const document = { path, before: "", after };
      return documentChanged(state, { document, project: "/p", model: () => "claude-opus-4-6" }, settings);
    };
    const first = change("/p/docs/a.md");
    expect(first.commands.map(({ kind }) => kind)).toEqual(["tell", "note"]);
    expect(first.commands[0]).toEqual({
      kind: "tell",
      text: 'The change to docs/a.md breaks these conventions:\n- instructions: "- Always run the tests.". Standing instructions to the agent belong in rules/ or CLAUDE.md; a document describes how things are.',
    });
    expect(change("/p/docs/a.md", first.state).commands).toEqual([]);
    expect(change("/p/docs/b.md", first.state).commands.map(({ kind }) => kind)).toEqual(["tell", "note"]);
    expect(change("/p/rules/a.md").commands).toEqual([]);
    const silent = { ...DEFAULT_SETTINGS, hasAdvisories: false };
    expect(change("/p/docs/a.md", INITIAL_POLICY, silent).commands).toEqual([]);
  });

  it("[R191] tells an essay that was written into a file of rules, once, and lets rules and old essays be", () => {
    const essay = `# Sails\n\n${"We came to like the old way of reefing, for reasons that go back a long time. ".repeat(20)}\n`;
    const change = (path: string, { before = "", state = INITIAL_POLICY, after = essay } = {}) => {
      const document = { path, before, after };
      const event = { document, project: "/p", model: () => "claude-opus-4-6" };
      return documentChanged(state, event, DEFAULT_SETTINGS);
    };
    const first = change("/p/.plimsoll/rules/sails.md");
    expect(first.commands[0]).toMatchObject({
      kind: "tell",
      text: expect.stringMatching(
        /^The change to \.plimsoll\/rules\/sails\.md breaks[\s\S]*- prose: "We came[\s\S]*each rule as one list item/,
      ),
    });
    expect(change("/p/.plimsoll/rules/sails.md", { state: first.state }).commands).toEqual([]);
    for (const path of ["/p/rules/a.md", "/p/.claude/rules/a.md", "/p/CLAUDE.md", "/p/api/CLAUDE.md", "/p/AGENTS.md"])
      expect(change(path).commands[0]?.kind, path).toBe("tell");
    expect(change("/p/rules/a.md", { before: essay, after: `${essay}- Reef early.\n` }).commands).toEqual([]);
    expect(
      change("/p/rules/a.md", { after: "- Reef early, whatever the captain says.\n".repeat(60) }).commands,
    ).toEqual([]);
    expect(change("/p/docs/sails.md").commands).toEqual([]);
  });

  it("[R151] takes no longer than its length for a document made to be slow", () => {
    expectProportional(80_000, (size) => {
      const after = `${" ".repeat(size)}x\n${"takes ".repeat(size / 6)}\n- x\n${"1".repeat(size)}\n`;
      checkDocument({ path: "docs/a.md", before: "", after });
    });
  });
});

describe("decideLimitWarnings", () => {
  const limit = (usedPercent: number, resetsAtMs = 1000): ReportedLimit => ({
    name: "five_hour",
    usedPercent,
    resetsAtMs,
  });

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
