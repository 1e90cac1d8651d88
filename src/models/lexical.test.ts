/** If red: token estimates miscount words, marks or scripts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryText, arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import { countLexemes } from "./lexical.ts";

const nothing = {
  words: 0,
  letters: 0,
  digits: 0,
  marks: 0,
  markRuns: 0,
  lines: 0,
  spaces: 0,
  spaceRuns: 0,
  wide: 0,
  other: 0,
};

test("an empty text has nothing to count", () => {
  expect(countLexemes("")).toEqual(nothing);
});

test("a line of code is counted by what it is made of", () => {
  expect(countLexemes("if (a12 !== b) {\n\treturn;\n}")).toEqual({
    ...nothing,
    words: 4,
    letters: 10,
    digits: 2,
    marks: 8,
    markRuns: 6,
    lines: 2,
    spaces: 5,
    spaceRuns: 5,
  });
});

test.each([
  ["word", 1],
  ["two words", 2],
  ["camelCaseName", 3],
  ["PascalCase", 2],
  ["HTTP", 1],
  ["snake_case_name", 3],
  ["a1b2", 2],
  ["naïve", 2],
])("%s is %i words", (text, words) => {
  expect(countLexemes(text).words).toBe(words);
});

test("runs of marks and of spaces are counted once, however long", () => {
  expect(countLexemes("a ===    b")).toMatchObject({ marks: 3, markRuns: 1, spaces: 5, spaceRuns: 2 });
});

test("a carriage return and a tab are spaces, a line feed is a line", () => {
  expect(countLexemes("\r\t\n")).toEqual({ ...nothing, spaces: 2, spaceRuns: 1, lines: 1 });
});

test("scripts of one token per character are told from accents, arrows and boxes", () => {
  expect(countLexemes("日本語 한국어")).toMatchObject({ wide: 6, other: 0 });
  expect(countLexemes("é→─")).toMatchObject({ wide: 0, other: 3 });
});

test("every character is counted exactly once", () => {
  fc.assert(
    fc.property(fc.oneof(arbitraryUnits(60), fc.string({ maxLength: 60 })), (text) => {
      const { letters, digits, marks, lines, spaces, wide, other } = countLexemes(text);
      expect(letters + digits + marks + lines + spaces + wide + other).toBe(text.length);
    }),
  );
});

test("two texts on two lines count as much as each alone, and a line", () => {
  fc.assert(
    fc.property(arbitraryText, arbitraryText, (first, second) => {
      const [left, right] = [countLexemes(first), countLexemes(second)];
      const keys = Object.keys(nothing) as readonly (keyof typeof nothing)[];
      const sum = Object.fromEntries(keys.map((key) => [key, left[key] + right[key] + (key === "lines" ? 1 : 0)]));
      expect(countLexemes(`${first}\n${second}`)).toEqual(sum);
    }),
  );
});
