/** If red: the sections and tools of the system prompt are listed with wrong sizes. */
import { describe, expect, it } from "vitest";
import type { ToolEvidence } from "../../hosts/baseline.ts";
import { estimateTextTokens } from "../../models/tokens.ts";
import { weighBase } from "./weigh-base.ts";

const record = (requests: number, ...called: readonly string[]) => ({
  requests,
  called: new Set(called),
  offered: new Set<string>(),
  sizes: new Map<string, number>(),
});
const EVIDENCE: ToolEvidence = {
  of: "project",
  isEnough: false,
  records: [record(25, "Bash"), record(40, "Bash", "Agent"), record(0, "Agent")],
  sections: ["You sail a ship.", "\n# Tone and style\nBe brief. Be brief. Be brief. Be brief."],
  schemas: new Map([
    ["Agent", "{}".repeat(20)],
    ["Bash", "{}".repeat(200)],
  ]),
};
const terms = {
  tokenizer: "dense",
  price: (tokens: number) => ({ usdPerMonth: tokens / 10, isAtLeast: false }),
} as const;

describe("the base by its parts", () => {
  it("names each section by its heading or its first words, and each tool with its sessions, the largest first", () => {
    const { sections, tools, evidence } = weighBase(EVIDENCE, [{ name: "Workflow", tokens: 60 }], terms);
    expect(sections.map(({ name }) => name)).toEqual(["Tone and style", "You sail a ship."]);
    expect(tools.map(({ name, place, sessions }) => [name, place, sessions])).toEqual([
      ["Bash", "front", 2],
      ["Workflow", "behind", 0],
      ["Agent", "front", 1],
    ]);
    expect(tools[0]?.tokens).toBe(Math.round(estimateTextTokens("{}".repeat(200), "dense")));
    expect(evidence).toEqual({ of: "project", isEnough: false, sessions: 2, requests: 65 });
  });

  it("sums what is behind the search, at its price, and counts no tool twice", () => {
    const { saved, tools } = weighBase(EVIDENCE, [{ name: "Agent", tokens: 30 }], terms);
    expect(saved).toEqual({ tokens: 30, usdPerMonth: 3, isAtLeast: false });
    expect(tools.filter(({ name }) => name === "Agent")).toHaveLength(1);
  });
});
