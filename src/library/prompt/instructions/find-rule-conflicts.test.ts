/** If red: two instructions that contradict each other go unnoticed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../../test/support/expect-proportional.ts";
import { findRuleConflicts, renderRuleConflicts } from "./find-rule-conflicts.ts";
import type { InstructionFile } from "./instruction-file.ts";

const user = (text: string): InstructionFile => ({ scope: "user", path: "~/.claude/CLAUDE.md", text });
const project = (text: string): InstructionFile => ({ scope: "project", path: "/p/CLAUDE.md", text });

describe("two instruction files", () => {
  it.each([
    ["Always use tabs.", "Never use tabs.", "use tabs"],
    ["- Use\n  semicolons", "No semicolons.", "use semicolons"],
    ["Commit to main.", "Do not commit to main", "commit to main"],
    ["Delete old snapshots.", "You must not delete old snapshots", "delete old snapshots"],
    ["You should use default exports", "Avoid using default exports.", "use default exports"],
    ["Default exports must not be used.", "Use default exports", "use default exports"],
    ["Use npm.", "Use `pnpm`.", "package manager"],
    ["We always use yarn", "- **Packages**: use pnpm instead of npm", "package manager"],
    ["Use pnpm, not npm.", "Use npm", "use npm"],
    ["Prefer jest over vitest", "Use vitest.", "test runner"],
    ["Indent with tabs", "Use spaces", "indentation"],
    ["Use single quotes", "use double quotes!", "quotes"],
    ["Indent with 2 spaces.", "Indent with four spaces.", "indent # spaces"],
    ["Lines have at most 100 characters", "Lines have at most 120 characters.", "lines have at most # characters"],
  ])("[R111] [R126] are both shown where they disagree: %s / %s", (one, other, subject) => {
    const conflicts = findRuleConflicts([project(other), user(one)]);
    expect(conflicts.map((conflict) => conflict.subject)).toContain(subject);
    expect(conflicts[0]?.rules.map(({ scope }) => scope)).toEqual(["user", "project"]);
  });

  it.each([
    ["Use tabs in Makefiles.", "Never use tabs."],
    ["Use npm.", "Use npm or pnpm."],
    ["Use npm to install.", "Publish to npm; never to yarn."],
    ["Use pnpm instead of npm", "Never use npm"],
    ["Never use tabs", "Never use spaces"],
    ["Use npm for publishing", "Use pnpm for installing"],
    ["# Use tabs", "# Never use tabs"],
    ["```\nuse npm\n```", "Use pnpm"],
    ["Step 1: build", "Step 2: build"],
    ["Comment the reason, never the\nline.", "It stops at the\nline."],
    ["| Use npm | yes |", "Use pnpm"],
    ["Use 2 workers and 3 retries", "Use 4 workers and 5 retries"],
    ["Do this. toString constructor __proto__", "Never constructor"],
  ])("[R111] are not said to disagree where they do not: %s / %s", (one, other) => {
    expect(findRuleConflicts([user(one), project(other)])).toEqual([]);
  });

  it("[R111] are left as they are: the report has both in their own words", () => {
    const conflicts = findRuleConflicts([user("- Always use **tabs**."), project("Never use tabs.")]);
    expect(renderRuleConflicts(conflicts)).toMatchInlineSnapshot(`
      "CONFLICT on "use tabs": instruction files disagree, none was picked; ask which one holds.
      - ~/.claude/CLAUDE.md (user): Always use **tabs**.
      - /p/CLAUDE.md (project): Never use tabs."
    `);
  });

  it("take more alternatives from whoever knows the project", () => {
    const files = [user("Use postgres"), project("Use mysql")];
    expect(findRuleConflicts(files)).toEqual([]);
    expect(findRuleConflicts(files, { alternatives: { database: ["postgres", "mysql"] } })).toMatchObject([
      { subject: "database" },
    ]);
  });

  it("say nothing of one file that contradicts itself, or of the same file twice", () => {
    expect(findRuleConflicts([user("Use tabs. Never use tabs.")])).toEqual([]);
    expect(findRuleConflicts([user("Use npm"), project("Use  npm")])).toEqual([]);
  });
});

it("whatever the files say, nothing is thrown, and the order of files does not matter", () => {
  const words = fc.constantFrom(
    "use",
    "never",
    "not",
    "tabs",
    "npm",
    "pnpm",
    "instead of",
    "2",
    ",",
    ".",
    ":",
    "in",
    "\n",
    "`",
    "prefer",
    "over",
  );
  const text = fc
    .array(fc.oneof(words, fc.string({ maxLength: 5 })), { maxLength: 30 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const subjects = (files: readonly InstructionFile[]): readonly string[] =>
        findRuleConflicts(files)
          .map(({ kind, subject }) => `${kind} ${subject}`)
          .sort();
      expect(subjects([user(one), project(other)])).toEqual(subjects([project(other), user(one)]));
    }),
  );
});

it("a long file takes time in proportion to its length", () => {
  expectProportional(20_000, (words) => {
    const long = `${"use ".repeat(words)}\n${"never not over, ".repeat(words)}\n${"Use tabs. ".repeat(words / 4)}`;
    findRuleConflicts([user(long), project(`${long}x`)]);
  });
});
