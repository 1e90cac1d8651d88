/** If red: the record is heavier than it is allowed to be. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTextTokens, weighText } from "../../models/tokens.ts";
import { fitItems } from "./summary.ts";

const arbitraryLine = fc.string({ unit: fc.constantFrom("a", "B", "7", " ", "/", "\t", "é", "語", "…") });

describe("the weight of a text", () => {
  it("is a tenth above what the heavier tokenizer makes of it", () => {
    const text = "the quickBrown_fox 1234 jumps\n";
    expect(weighText(text)).toBeCloseTo(1.1 * estimateTextTokens(text, "dense"));
    expect(weighText(text)).toBeGreaterThan(1.1 * estimateTextTokens(text, "classic"));
  });

  it("is at most what its parts weigh that begin at a line feed", () => {
    fc.assert(
      fc.property(fc.array(arbitraryLine), (lines) => {
        const parts = lines.map((line) => `\n${line}`);
        const sum = parts.reduce((total, part) => total + weighText(part), 0);
        expect(weighText(parts.join(""))).toBeLessThanOrEqual(sum + 1e-6);
      }),
    );
  });
});

describe("fitting", () => {
  const render = (count: number): string => `${"word ".repeat(count)}${count < 50 ? "and more" : ""}`;

  it("shows everything where there is room", () => {
    expect(fitItems(50, 1000, render)).toEqual({ text: "word ".repeat(50), shown: 50 });
  });

  it("shows as much as there is room for: one more would be too much", () => {
    const { text, shown } = fitItems(50, 40, render);
    expect(text).toBe(render(shown));
    expect(weighText(text)).toBeLessThanOrEqual(40);
    expect(weighText(render(shown + 1))).toBeGreaterThan(40);
  });

  it("shows nothing where not even the word about the rest has room, or nothing is there", () => {
    expect(fitItems(50, 1, render)).toEqual({ text: "", shown: 0 });
    expect(fitItems(0, 1000, render)).toEqual({ text: "", shown: 0 });
  });
});
