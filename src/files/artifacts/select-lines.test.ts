import { expect, it } from "vitest";
import { repeat } from "../../../test/support/preview.ts";
import { selectLines } from "./select-lines.ts";

const TEXT = `${repeat(450, (n) => `line ${n}`)}\n`;
const numbers = (selected: ReturnType<typeof selectLines>) => selected.lines.map(({ number }) => number);

it("gives everything by default", () => {
  expect(selectLines(TEXT)).toMatchObject({ totalLines: 450, pages: 3 });
  expect(selectLines(TEXT).lines).toHaveLength(450);
});

it("gives a range, a page, or what matches, numbered as in the original", () => {
  expect(numbers(selectLines(TEXT, { from: 10, to: 12 }))).toEqual([10, 11, 12]);
  expect(numbers(selectLines(TEXT, { page: 3 }))).toEqual(Array.from({ length: 50 }, (_, index) => 401 + index));
  expect(numbers(selectLines(TEXT, { isMatch: (line) => /line 44\d/.test(line) }))).toEqual([
    440, 441, 442, 443, 444, 445, 446, 447, 448, 449,
  ]);
  expect(numbers(selectLines(TEXT, { from: 441, to: 460, isMatch: (line) => line.endsWith("9") }))).toEqual([449]);
});

it("gives nothing beyond the end", () => {
  expect(selectLines(TEXT, { page: 9 }).lines).toEqual([]);
  expect(selectLines("", {})).toEqual({ lines: [], totalLines: 0, pages: 1 });
});
