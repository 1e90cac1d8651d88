import fc from "fast-check";
import { expect, it } from "vitest";
import { clipLine } from "./clip-text.ts";

it.each([
  ["  a\n\tb  ", 9, "a b"],
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd…"],
  ["ab😀cd", 4, "ab…"],
  ["abc", 1, "…"],
  ["abc", 0, ""],
])("%j within %s is %j", (text, maxLength, line) => {
  expect(clipLine(text, maxLength)).toBe(line);
});

const anyText = fc.string({ unit: fc.constantFrom("a", " ", "\n", "\r\n", "\u2028", "é", "😀"), maxLength: 40 });

it("is one line, no longer than asked, and no half of a character is left", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, maxLength) => {
      const line = clipLine(text, maxLength);
      expect(line.length).toBeLessThanOrEqual(maxLength);
      expect(line).not.toMatch(/[\n\r]|[\ud800-\udbff](?![\udc00-\udfff])/);
    }),
  );
});
