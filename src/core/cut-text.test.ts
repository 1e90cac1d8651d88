import fc from "fast-check";
import { expect, it } from "vitest";
import { cutText, TRUNCATED } from "./cut-text.ts";

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
