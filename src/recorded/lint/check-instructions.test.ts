/** If red: lint does not report instructions that are too long for the client. */
import { describe, expect, it } from "vitest";
import type { LoadedInstruction } from "../../hosts/baseline.ts";
import { checkInstructions } from "./check-instructions.ts";

const file = (path: string, text: string, more: Partial<LoadedInstruction> = {}): LoadedInstruction => ({
  scope: "project",
  path,
  text,
  importedBy: undefined,
  ...more,
});

const rulesOf = (files: readonly LoadedInstruction[], memory?: LoadedInstruction): readonly string[] =>
  checkInstructions(files, memory).map(({ rule, severity }) => `${severity} ${rule}`);

/** Items that no two files share. */
const items = (characters: number, seed = "a"): string =>
  Array.from({ length: Math.ceil(characters / 40) + 1 }, (_, index) =>
    `- ${seed}${index} ${"x".repeat(35)}`.slice(0, 39),
  )
    .join("\n")
    .slice(0, characters);

describe("checkInstructions", () => {
  it("finds nothing in a short list of rules", () => {
    expect(rulesOf([file("/p/CLAUDE.md", "# Rules\n\n- Run the tests.\n")])).toEqual([]);
  });

  it("[R135] lets 4,000 characters pass, and 4,001 not", () => {
    expect(rulesOf([file("/p/CLAUDE.md", items(4000))])).toEqual([]);
    expect(rulesOf([file("/p/CLAUDE.md", items(4001))])).toEqual(["warning file-budget"]);
  });

  it("[R136] lets 12,000 characters in all pass, and 12,001 not", () => {
    const three = [file("/p/a.md", items(4000)), file("/p/b.md", items(4000, "b")), file("/p/c.md", items(4000, "c"))];
    expect(rulesOf(three)).toEqual([]);
    expect(rulesOf([...three, file("/p/d.md", "x")])).toEqual(["warning total-budget"]);
  });

  it("[R84] warns at 150 lines, with the line", () => {
    expect(rulesOf([file("/p/CLAUDE.md", "- x\n".repeat(149))])).toEqual([]);
    expect(checkInstructions([file("/p/CLAUDE.md", "- x\n".repeat(150))], undefined)).toMatchObject([
      { rule: "instruction-lines", evidence: { path: "/p/CLAUDE.md", line: 150 } },
    ]);
  });

  it("[R133] calls an index of 201 lines an error: the client never shows the rest", () => {
    expect(rulesOf([], file("/m/MEMORY.md", "- x\n".repeat(200)))).toEqual([]);
    expect(rulesOf([], file("/m/MEMORY.md", "- x\n".repeat(201)))).toEqual(["error memory-index"]);
  });

  it("[R144] sees free-prose rules, and where they begin", () => {
    const sentence = "You should always consider the reader and never write what cannot be tested by somebody else. ";
    const prose = `# Rules\n\n${sentence.repeat(12)}\n`;
    expect(checkInstructions([file("/p/CLAUDE.md", prose)], undefined)).toMatchObject([
      { rule: "free-prose-rules", evidence: { kind: "file", path: "/p/CLAUDE.md", line: 3 } },
    ]);
    const list = `# Rules\n\n${`- ${sentence}\n`.repeat(12)}`;
    expect(rulesOf([file("/p/CLAUDE.md", list)])).toEqual([]);
    expect(rulesOf([file("/p/CLAUDE.md", `\`\`\`\n${sentence.repeat(12)}\n\`\`\`\n`)])).toEqual([]);
  });

  it("[R144] calls 40 files or 160 KB with every request an error", () => {
    const forty = Array.from({ length: 40 }, (_, index) => file(`/p/${index}/CLAUDE.md`, `- rule ${index}\n`));
    expect(rulesOf(forty.slice(1))).toEqual([]);
    expect(rulesOf(forty)).toEqual(["error unconditional-loading"]);
    expect(rulesOf([file("/p/CLAUDE.md", items(160_000))])).toContain("error unconditional-loading");
  });

  it("[R144] sees a folder's own instructions imported from above", () => {
    const child = file("/p/packages/api/CLAUDE.md", "- x", { importedBy: { path: "/p/CLAUDE.md", line: 7 } });
    expect(checkInstructions([child], undefined)).toMatchObject([
      { rule: "unconditional-loading", severity: "warning", evidence: { path: "/p/CLAUDE.md", line: 7 } },
    ]);
    expect(rulesOf([file("/p/AGENTS.md", "- x", { importedBy: { path: "/p/CLAUDE.md", line: 1 } })])).toEqual([]);
  });

  it("[R126] names the same instructions from two scopes", () => {
    const twice = [
      file("/p/CLAUDE.md", "- Run the tests."),
      file("/CLAUDE.md", "- Run  the tests.", { scope: "parent" }),
    ];
    expect(rulesOf(twice)).toEqual(["warning duplicate-instructions"]);
  });
});
