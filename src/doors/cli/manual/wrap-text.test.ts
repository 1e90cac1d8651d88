import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapText } from "./wrap-text.ts";

describe("wrapping", () => {
  it("breaks between words and keeps columns apart", () => {
    expect(wrapText("  --json    print it as JSON", 20, "            ")).toEqual([
      "  --json    print it",
      "            as JSON",
    ]);
    expect(wrapText("a verylongword b", 6, " ")).toEqual(["a", " verylongword", " b"]);
  });

  it("loses no word, and is wider than told only for a word that is", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 14, max: 60 }), (given, columns) => {
        const lines = wrapText(given.join(" "), columns, "  ");
        expect(lines.join(" ").split(/ +/)).toEqual(given);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
