import { describe, expect, test } from "vitest";
import { foldPastes } from "./fold-paste.ts";

const trace = (lines: number): string =>
  Array.from(
    { length: lines },
    (_, index) => `    at seal (http://localhost:3000/chunk-${index}.js:120${index}:9)`,
  ).join("\n");

describe("what a person pasted", () => {
  test("a trace is told by its ends, and every word around it stays", () => {
    const text = `It still leaks. See:\n${trace(60)}\nPlease mend the third plank.`;
    const lines = foldPastes(text).split("\n");
    expect(lines[0]).toBe("It still leaks. See:");
    expect(lines.at(-1)).toBe("Please mend the third plank.");
    expect(lines).toContain("(… 56 lines)");
    expect(lines).toHaveLength(7);
  });

  test("a plan stays word for word, and so does whatever is short", () => {
    const plan = `# Plan\n${"1. Caulk the seam between the planks, then tar it.\n- Never use nails here.\n".repeat(60)}`;
    expect(foldPastes(plan)).toBe(plan);
    expect(foldPastes(trace(20))).toBe(trace(20));
  });

  test("of what nobody can have typed the beginning and the end stay", () => {
    const text = `Mind this:\n${"word ".repeat(9000)}\nand go.`;
    const shown = foldPastes(text);
    expect(shown.length).toBeLessThan(12_100);
    expect(shown.startsWith("Mind this:")).toBe(true);
    expect(shown.endsWith("and go.")).toBe(true);
  });
});
