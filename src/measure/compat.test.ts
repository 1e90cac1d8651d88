/** If red: figures that are compared with the old rules of thumb use other rules. */
import { describe, expect, it } from "vitest";
import { answer, called, prompt, result, said, usage } from "../../test/support/session-events.ts";
import { estimateByToolWeights, estimateCompatTokens } from "./compat.ts";
import { assessHealth } from "./health.ts";
import { createMeter } from "./meter.ts";

describe("four characters a token", () => {
  it.each([
    [4000, 1000],
    [4003, 1000],
    [4004, 1001],
    [3, 0],
    [0, 0],
  ])("[R100] takes %i characters for %i tokens", (characters, tokens) => {
    expect(estimateCompatTokens(characters)).toBe(tokens);
  });
});

describe("a weight per tool", () => {
  it("[R18] is low for reading, medium for running, high for writing, next to the messages", () => {
    expect(estimateByToolWeights({ Read: 1 }, 0)).toBe(500);
    expect(estimateByToolWeights({ Bash: 1 }, 0)).toBe(1000);
    expect(estimateByToolWeights({ Write: 1 }, 0)).toBe(2000);
    expect(estimateByToolWeights({}, 123)).toBe(123);
  });

  it.each([
    [["Edit", "MultiEdit", "NotebookEdit", "Write"], 2000],
    [["Bash", "BashOutput", "PowerShell", "Task", "Agent", "mcp__docs__search"], 1000],
    [["Read", "Grep", "Glob", "WebFetch", "TodoWrite", "SomethingNew"], 500],
  ] as const)("[R18] knows %j by what they do", (tools, tokens) => {
    for (const tool of tools) expect(estimateByToolWeights({ [tool]: 1 }, 0), tool).toBe(tokens);
  });

  /** Three reads, two commands and a write, with 1,200 characters said. */
  const transcript = [
    prompt("p".repeat(400)),
    answer("s1", usage({ read: 30_000 }), [said("s".repeat(800)), called("Read", "1"), called("Read", "2")]),
    result("Read", "1", "x"),
    result("Read", "2", "x"),
    answer("s2", usage({ read: 40_000 }), [called("Bash", "3"), called("Bash", "4"), called("Grep", "5")]),
    answer("s3", usage({ read: 50_000 }), [called("Write", "6")]),
  ];

  it("[R18] gives the known number for a known transcript, and decides nothing", () => {
    const meter = createMeter();
    for (const event of transcript) meter.feed(event);
    const { callsByTool } = meter.state();
    expect(callsByTool).toEqual({ Read: 2, Bash: 2, Grep: 1, Write: 1 });
    expect(estimateByToolWeights(callsByTool, estimateCompatTokens(1200))).toBe(3 * 500 + 2 * 1000 + 2000 + 300);
    expect(assessHealth(meter.state())).toMatchObject({ usedTokens: 50_000, source: "usage" });
  });
});
