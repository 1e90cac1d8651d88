/** If red: the most important lines are left out of a preview, or a cut shows half a secret. */
import { expect, it } from "vitest";
import { composeExcerpts, HEAD, TAIL } from "./excerpt.ts";
import { parseSheet } from "./sheet.ts";

const sheet = parseSheet("a\nb\nc\nd");

it("takes the weightiest that fit and puts them in the order of the text", () => {
  const excerpts = [
    { line: 0, text: "first line", weight: 10 },
    { line: 1, text: "second line", weight: 90 },
    { line: 2, text: "third line", weight: 50 },
    { line: TAIL, text: "remark at the end", weight: 80 },
    { line: HEAD, text: "remark at the start", weight: 70 },
  ];
  expect(composeExcerpts(excerpts, sheet, 75)).toBe(
    "remark at the start\n2: second line\n3: third line\nremark at the end",
  );
});

it("shows a line once, at its greatest weight", () => {
  const excerpts = [
    { line: 0, text: "dull", weight: 5 },
    { line: 0, text: "telling", weight: 60 },
  ];
  expect(composeExcerpts(excerpts, sheet, 100)).toBe("1: telling");
});

it("strikes a secret out before it cuts", () => {
  const text = `${"x".repeat(60)} ghp_${"a1".repeat(18)}`;
  // Of a long line only a part is looked at.
  for (const whole of [text, `${text} ${"and so on ".repeat(100)}`])
    expect(composeExcerpts([{ line: 0, text: whole, weight: 50, cut: 72 }], sheet, 200)).not.toContain("ghp_");
});

it("fills the room and never more", () => {
  const excerpts = Array.from({ length: 50 }, (_, line) => ({
    line,
    text: `line ${line} with some words`,
    weight: line,
  }));
  for (let room = 20; room < 400; room += 7) {
    const { length } = composeExcerpts(excerpts, parseSheet("\n".repeat(50)), room);
    expect(length).toBeLessThanOrEqual(room);
  }
});
