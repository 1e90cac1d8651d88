import { describe, expect, it } from "vitest";
import { estimateByFormula, findBudgetWarnings, type LimitedBaseline } from "./find-budget-warnings.ts";

const calm: LimitedBaseline = {
  servers: 9,
  tools: 79,
  instructions: [{ path: "CLAUDE.md", lines: 149, tokens: 2000 }],
  skills: [{ name: "release", tokens: 3000 }],
  agents: [{ name: "reviewer", tokens: 400 }],
  baselineTokens: 30_000,
  windowTokens: 200_000,
  isRecorded: true,
};

const kinds = (change: Partial<LimitedBaseline>): readonly string[] =>
  findBudgetWarnings({ ...calm, ...change }).map(({ rule }) => rule);

describe("findBudgetWarnings", () => {
  it("says nothing at the last value of every limit", () => {
    expect(findBudgetWarnings(calm)).toEqual([]);
  });

  it("[R81] warns at 10 servers", () => {
    expect(kinds({ servers: 10 })).toEqual(["server-count"]);
  });

  it("[R82] warns at 80 tools", () => {
    expect(kinds({ tools: 80 })).toEqual(["tool-count"]);
  });

  it("[R84] warns at 150 lines, and says where the detail goes", () => {
    const [warning] = findBudgetWarnings({ ...calm, instructions: [{ path: "CLAUDE.md", lines: 150, tokens: 100 }] });
    expect(warning).toMatchObject({
      what: "the file has 150 lines; fewer than 150 are recommended",
      evidence: { path: "CLAUDE.md", line: 150 },
    });
    expect(warning?.fix).toContain("move detail to files in .plimsoll/");
  });

  it("[R79] warns of a short file that is heavy", () => {
    expect(kinds({ instructions: [{ path: "CLAUDE.md", lines: 10, tokens: 2001 }] })).toEqual(["instruction-tokens"]);
  });

  it("[R80] warns of a skill above its table", () => {
    expect(kinds({ skills: [{ name: "release", tokens: 3001 }] })).toEqual(["skill-tokens"]);
  });

  it("[R78] warns of an agent's description above its table", () => {
    expect(kinds({ agents: [{ name: "reviewer", tokens: 401 }] })).toEqual(["agent-tokens"]);
  });

  it("[R86] warns above 15 % of the window", () => {
    const [guess] = findBudgetWarnings({ ...calm, baselineTokens: 30_001, isRecorded: false });
    expect(guess?.what).toContain("an estimated 15.0 % of the window is used");
    const [warning] = findBudgetWarnings({ ...calm, baselineTokens: 30_001 });
    expect(warning).toMatchObject({
      rule: "context-budget",
      what: "Context Budget Warning: 15.0 % of the window is used before you type",
    });
  });
});

describe("estimateByFormula", () => {
  it("[R86] counts 500 a tool, 300 an agent, and the instructions as they are", () => {
    expect(estimateByFormula({ tools: 40, agents: 5, instructionTokens: 1234 })).toBe(40 * 500 + 5 * 300 + 1234);
  });
});
