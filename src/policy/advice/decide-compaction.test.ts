/** If red: the table of when to compact gives the wrong answer or promises what is not kept. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompactionFacts, decideCompaction, parseStage, STAGES } from "./decide-compaction.ts";

describe("the table", () => {
  it.each([
    ["[R65]", "research", "planning", "YES"],
    ["[R67]", "debug", "next-feature", "YES"],
    ["[R69]", "implementation", "pivot", "YES"],
    ["[R69]", "debug", "pivot", "YES"],
    ["[R70]", "quality", "verify", "NO"],
    ["[R71]", "commit", "next-feature", "YES"],
    ["[R71]", "commit", "research", "YES"],
    ["[R68]", "implementation", "implementation", "CONDITIONAL"],
  ] as const)("%s says from %s to %s: %s", (_id, from, to, verdict) => {
    expect(decideCompaction(from, to).verdict).toBe(verdict);
  });

  it("[R66] says YES after planning where the plan file exists, and else asks for it", () => {
    expect(decideCompaction("planning", "implementation", { hasPlanFile: true }).verdict).toBe("YES");
    const missing = { verdict: "CONDITIONAL", why: "no plan file: write the plan to .plimsoll/plan-NAME.md first" };
    expect(decideCompaction("planning", "implementation", { hasPlanFile: false })).toMatchObject(missing);
    expect(decideCompaction("planning", "implementation")).toMatchObject(missing);
  });

  it.each([
    [{ isFileComplete: true, doTestsPass: true }, "YES", "the file is fully written and its tests pass"],
    [{ isFileComplete: false }, "NO", "a file is in the middle of an edit"],
    [{ isFileComplete: false, doTestsPass: true }, "NO", "a file is in the middle of an edit"],
    [{ isFileComplete: true, doTestsPass: false }, "CONDITIONAL", "compact only once its tests pass"],
    [{ isFileComplete: true }, "CONDITIONAL", "compact only once its tests pass"],
    [{ doTestsPass: true }, "CONDITIONAL", "compact only once the file is fully written"],
    [{}, "CONDITIONAL", "compact only once the file is fully written and its tests pass"],
  ])("[R68] settles the condition inside the implementation with %j: %s", (facts, verdict, why) => {
    expect(decideCompaction("implementation", "implementation", facts)).toMatchObject({ verdict, why });
  });

  it("[R68] never says YES in the middle of an edit, wherever it leads", () => {
    for (const from of STAGES)
      for (const to of STAGES) expect(decideCompaction(from, to, { isFileComplete: false }).verdict).toBe("NO");
  });

  it("makes no promise for a way that it does not list", () => {
    expect(decideCompaction("verify", "commit").verdict).toBe("CONDITIONAL");
    expect(decideCompaction("implementation", "quality").verdict).toBe("CONDITIONAL");
  });
});

describe("the price", () => {
  it("[R72] names what survives and what is lost", () => {
    expect(decideCompaction("research", "planning")).toMatchObject({
      survives: ["task description", "file paths mentioned", "key decisions", "plan reference", "current phase"],
      lost: ["full file contents read", "intermediate reasoning", "exact error messages", "tool output details"],
    });
  });

  it("[R69] asks for the failure of a pivot in one line", () => {
    expect(decideCompaction("implementation", "pivot").survives.at(-1)).toContain(
      "before compacting, note in one line",
    );
    expect(decideCompaction("implementation", "implementation").survives.join()).not.toContain("tried");
  });

  it("[R72] is told for every way and every fact", () => {
    const anyFacts: fc.Arbitrary<CompactionFacts> = fc.record(
      {
        hasPlanFile: fc.boolean(),
        isFileComplete: fc.boolean(),
        doTestsPass: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const anyStage = fc.constantFrom(...STAGES);
    fc.assert(
      fc.property(anyStage, anyStage, anyFacts, (from, to, facts) => {
        const { verdict, why, survives, lost } = decideCompaction(from, to, facts);
        expect(["YES", "NO", "CONDITIONAL"]).toContain(verdict);
        expect(why).not.toBe("");
        expect(new Set([...survives, ...lost]).size).toBe(survives.length + lost.length);
        expect([...survives, ...lost].join("")).not.toContain("\n");
      }),
    );
  });
});

it.each(STAGES)("%s is known by its name, in any case", (stage) => {
  expect(parseStage(stage)).toBe(stage);
  expect(parseStage(` ${stage.toUpperCase()} `)).toBe(stage);
});

it.each([
  ["next feature", "next-feature"],
  ["Next_Feature", "next-feature"],
  ["4", "implementation"],
  ["5", "quality"],
  ["7", "commit"],
])("%s is understood", (text, stage) => {
  expect(parseStage(text)).toBe(stage);
});

it("nothing else is", () => {
  for (const text of ["", "6", "constructor", "toString", "lunch"]) expect(parseStage(text)).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect([undefined, ...STAGES]).toContain(parseStage(text));
    }),
  );
});
