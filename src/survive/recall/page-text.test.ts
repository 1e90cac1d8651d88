/** If red: pages of an original do not join to the whole, or split a character. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { matchLines } from "./match-lines.ts";
import { cutPages, PAGE_CHARACTERS, pageText, selectRanges } from "./page-text.ts";

/** Texts around and above a page: with and without line ends of either kind, of one byte and of two units a character. */
const arbitraryText = fc
  .array(
    fc.record({
      piece: fc.oneof(
        fc.constantFrom("a", "plank", "\u{1f6a2}", "é", "\t ", "\u2028", ""),
        fc.string({ maxLength: 5 }),
      ),
      times: fc.integer({ min: 0, max: 2500 }),
      end: fc.constantFrom("", "\n", "\r\n", "\n\n", "\r"),
    }),
    { maxLength: 8 },
  )
  .map((parts) => parts.map(({ piece, times, end }) => piece.repeat(times) + end).join(""));

const numbered = (lines: number): string => Array.from({ length: lines }, (_, index) => `line ${index + 1}`).join("\n");

describe("the pages of a text", () => {
  it("joined in order give it back byte for byte, each within the limit and none cut within a character", () => {
    fc.assert(
      fc.property(arbitraryText, (text) => {
        const pages = cutPages(text);
        expect(pages.join("")).toBe(text);
        expect(pages.every((page) => page.length <= PAGE_CHARACTERS)).toBe(true);
        expect(pages.length === 1 || pages.every((page) => page !== "")).toBe(true);
        const asked = pages.map((_, index) => pageText(text, index + 1).text);
        expect(asked).toEqual(pages);
      }),
      { numRuns: tries(20, 150) },
    );
  });

  it("never part a surrogate pair, whatever stands before it", () => {
    for (const before of ["", "a"]) {
      const text = before + "\u{1f6a2}".repeat(PAGE_CHARACTERS);
      for (const page of cutPages(text)) expect(page).toBe(Buffer.from(page).toString());
      expect(cutPages(text).join("")).toBe(text);
    }
  });

  it("end at line ends where there are any", () => {
    const pages = cutPages(numbered(3000));
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.slice(0, -1).every((page) => page.endsWith("\n"))).toBe(true);
  });

  it("stay one page at exactly the limit and become two beyond it", () => {
    expect(cutPages("a".repeat(PAGE_CHARACTERS))).toHaveLength(1);
    expect(cutPages("a".repeat(PAGE_CHARACTERS + 1))).toHaveLength(2);
    expect(cutPages("")).toEqual([""]);
  });

  it("say where they lie", () => {
    const text = "a".repeat(PAGE_CHARACTERS * 2 + 10);
    expect(pageText("short")).toEqual({ text: "short", page: 1, pages: 1 });
    expect(pageText(text, 2)).toMatchObject({ page: 2, pages: 3 });
  });

  it.each([
    [0, 1],
    [-4, 1],
    [2.9, 2],
    [99, 3],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
  ])("asked for page %d, answer with page %d", (page, shown) => {
    const text = "abc".repeat(PAGE_CHARACTERS);
    expect(pageText(text, page)).toMatchObject({ page: shown, text: cutPages(text)[shown - 1] });
  });
});

describe("a range of lines", () => {
  it("holds both ends, counted from 1", () => {
    expect(selectRanges(numbered(10), [[3, 5]])).toEqual({
      text: "line 3\nline 4\nline 5",
      note: "lines 3 to 5 of 10",
    });
  });

  it("is one of several, and what the text does not have is left out", () => {
    expect(
      selectRanges(numbered(10), [
        [2, 3],
        [5, 5],
        [9, 99],
        [200, 201],
      ]),
    ).toEqual({
      text: "line 2\nline 3\nline 5\nline 9\nline 10",
      note: "lines 2 to 3, 5, 9 to 10 of 10",
    });
    expect(selectRanges(numbered(10), [[11, 12]])).toEqual({ text: "", note: "" });
    expect(selectRanges(numbered(10), [[7, 7]]).note).toBe("line 7 of 10");
  });
});

describe("a huge text", () => {
  it.each([
    ["without any line end", ""],
    ["of one line end at its beginning", "\n"],
  ])("%s is cut in time that grows with its length alone", (_, start) => {
    expectProportional(4 * 1024 * 1024, (length) => {
      const text = start + "p".repeat(length);
      expect(cutPages(text).join("").length).toBe(text.length);
    });
  });

  it.each([
    ["of many short lines", "plank\n", 700_000],
    ["of one line", "p", 500_000],
    ["of line ends alone", "\n", 1_000_000],
  ])("%s is paged, ranged and searched in time that grows with its length alone", (_, piece, count) => {
    expectProportional(count, (many) => {
      const text = piece.repeat(many);
      pageText(text, 300);
      selectRanges(text, [[1000, 2000]]);
      matchLines([text], "nowhere");
    });
  });
});
