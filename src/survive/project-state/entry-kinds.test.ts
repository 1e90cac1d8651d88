import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LoggedDecision,
  parseConvention,
  parseDecision,
  parseProgress,
  toConventionEntry,
  toDecisionEntry,
  toProgressEntry,
} from "./entry-kinds.ts";
import { parseLog, renderLogEntry } from "./entry-log.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);

const first = (text: string) => {
  const [entry] = parseLog(text).entries;
  if (!entry) throw new Error("no entry");
  return entry;
};

describe("the formats of the entries", () => {
  it("[R119] write a decision under its time with context, decision, rationale and impact", () => {
    const decision = {
      title: "Files, not a database",
      context: "State is small",
      decision: "Markdown in .plimsoll/",
      rationale: "People read it",
      impact: "src/files",
    };
    const text = renderLogEntry(toDecisionEntry(decision, AT));
    expect(text).toBe(`## [2026-01-02 10:20] Decision: Files, not a database

**Context:** State is small
**Decision:** Markdown in .plimsoll/
**Rationale:** People read it
**Impact:** src/files
`);
    expect(parseDecision(first(text))).toEqual(decision);
  });

  it("[R119] write progress as completed, in progress, blocked and what the next session should do", () => {
    const progress = {
      completed: ["parser"],
      inProgress: ["lexer (step 2/3)"],
      blocked: [],
      nextSessionShould: ["start with the lexer", "then the docs"],
    };
    const text = renderLogEntry(toProgressEntry(progress, AT));
    expect(text).toBe(`## [2026-01-02 10:20] Session Summary

**Completed:**
- [x] parser
**In Progress:**
- [ ] lexer (step 2/3)
**Blocked:** none recorded
**Next Session Should:**
- start with the lexer
- then the docs
`);
    expect(parseProgress(first(text))).toEqual(progress);
  });

  it("[R119] write a convention with its pattern, example and place", () => {
    const convention = { title: "Names", pattern: "kebab-case", example: "entry-log.ts", appliesTo: "src" };
    const text = renderLogEntry(toConventionEntry(convention, AT));
    expect(text).toContain("## [2026-01-02 10:20] Convention: Names\n");
    expect(text).toContain("**Applies to:** src\n");
    expect(parseConvention(first(text))).toEqual(convention);
  });

  it("[R120] give back what they were given, whatever the words", () => {
    const anyWords = fc.string({ unit: "binary" }).map((text) => text.replace(/\s+/g, " ").trim());
    const anyDecision: fc.Arbitrary<LoggedDecision> = fc.record({
      title: anyWords,
      context: anyWords,
      decision: anyWords,
      rationale: anyWords,
      impact: anyWords,
    });
    const anyItems = fc.array(anyWords.filter((words) => words !== "" && !/^\[[ x]\]/.test(words)));
    fc.assert(
      fc.property(anyDecision, anyItems, (decision, items) => {
        expect(parseDecision(first(renderLogEntry(toDecisionEntry(decision, AT))))).toEqual(decision);
        const progress = { completed: items, inProgress: [], blocked: items, nextSessionShould: items };
        expect(parseProgress(first(renderLogEntry(toProgressEntry(progress, AT))))).toEqual(progress);
      }),
    );
  });
});
