/** If red: the one unusual line among thousands is not shown. */
import { describe, expect, it } from "vitest";
import { surveyLines } from "./survey-lines.ts";

const many = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe("surveyLines", () => {
  it("counts lines that differ only in words with digits, and knows the first of them", () => {
    const survey = surveyLines(["read a1 in 3 ms", "", "read b2c in 40 ms", "read  c33 in 5 ms", "wrote a1 in 3 ms"]);
    expect([0, 1, 2, 3, 4].map(survey.countLike)).toEqual([3, 0, 3, 3, 1]);
    expect([0, 1, 2, 3, 4].map(survey.isFirst)).toEqual([true, false, false, false, true]);
  });

  it("tells marks apart, and sees no words in colours", () => {
    const survey = surveyLines(["+ added", "- added", "\u001b[32m+ added\u001b[0m"]);
    expect([0, 1, 2].map(survey.countLike)).toEqual([2, 1, 2]);
  });

  it("finds a line of its own form among lines that each name something else", () => {
    const words = ["oak", "elm", "ash", "yew", "fir"];
    const lines = many(100, (n) => `Compiling ${words[n % 5]}${words[(n * 3) % 5]}${"abcdefghij"[n % 10]} v1.${n}`);
    const survey = surveyLines([...lines.slice(0, 40), "switching over to the replica", ...lines.slice(40)]);
    expect(many(101, String).map(Number).filter(survey.isOdd)).toEqual([40]);
  });

  it("finds nothing odd where every line has its own form, or there are few", () => {
    const prose = many(60, (n) =>
      many((n % 7) + 2, (m) => String.fromCharCode(97 + ((n * 7 + m * 3) % 26)).repeat(m + 3)).join(" "),
    );
    const survey = surveyLines(prose);
    expect(prose.some((_, line) => survey.isOdd(line))).toBe(false);
    expect(surveyLines(["a", "a", "a", "b"]).isOdd(3)).toBe(false);
  });
});
