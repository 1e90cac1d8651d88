/** If red: a shortened line is longer than its room, shows half a character, or hides that it was cut. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { clipLine, cutText, TRUNCATED } from "./clip-text.ts";

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

it("leaves alone what fits", () => {
  expect(cutText("abc", 3)).toBe("abc");
});

it("[R137] marks what it cuts, at the end of a line where one is near", () => {
  expect(cutText("one two\nthree four five six", 28)).toBe("one two\nthree four five six");
  expect(cutText("one two three\nfour five six seven", 30)).toBe(`one two three\n${TRUNCATED}`);
  expect(cutText("x".repeat(50), 20)).toBe(`xxxxxxxx\n${TRUNCATED}`);
});

it("is empty where not even the mark has room, and never parts a pair", () => {
  expect(cutText("x".repeat(50), 5)).toBe("");
  expect(cutText(`${"x".repeat(7)}😀${"y".repeat(20)}`, 20)).toBe(`xxxxxxx\n${TRUNCATED}`);
});

it("[R137] never exceeds its room, and never cuts without the mark", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: "binary" }), fc.nat(220), (text, room) => {
      const cut = cutText(text, room);
      expect(cut.length).toBeLessThanOrEqual(room);
      expect(cut === text || cut === "" || cut.endsWith(TRUNCATED)).toBe(true);
    }),
  );
});
