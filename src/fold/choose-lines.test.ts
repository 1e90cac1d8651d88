/** If red: an error in the middle of a very long output is not in its preview. */
import { expect, it } from "vitest";
import { repeat } from "../../test/support/preview.ts";
import { chooseLines } from "./choose-lines.ts";
import { foldOutput } from "./fold-output.ts";

const LONG = repeat(4000, (n) =>
  n === 2222 || n === 2500 ? `line ${n} has an error in it` : `line ${n} says nothing of note`,
);

it("takes every line of an ordinary text", () => {
  expect(chooseLines("a\nb\n")).toEqual({ lines: ["a", "b", ""], places: undefined, total: 3 });
});

it("takes the start, the end and the trouble between them of a very long one, each with its own place", () => {
  const { lines, places } = chooseLines(LONG, "trouble");
  const all = LONG.split("\n");
  expect(lines.length).toBeLessThan(2000);
  expect(lines).toEqual(places?.map((place) => all[place - 1]));
  expect(places).toEqual(expect.arrayContaining([1, 2222, 2500, 4000]));
});

it("takes the first and the last where more lines are odd than it can show: an incident has an end, too", () => {
  const odd = Array.from({ length: 48 }, (_, at) => 2000 + at * 200);
  // At most four of one length: a form that more lines have is not odd.
  const text = repeat(14_000, (n) =>
    odd.includes(n) ? "replica ".repeat(5 + ((n / 200) % 12)) : `GET /berth/${n} 200`,
  );
  const { places = [] } = chooseLines(text, "troubleAndOdd");
  expect(odd.filter((n) => places.includes(n))).toEqual([...odd.slice(0, 20), ...odd.slice(-20)]);
});

it("shows trouble in the middle of a very long output, with the number of its line", () => {
  expect(foldOutput(LONG).text).toContain("2222: line 2222 has an error in it");
});

it("cuts a few enormous lines short instead", () => {
  expect(chooseLines(`${"x".repeat(90_000)}\n${"y".repeat(90_000)}`).places).toBeUndefined();
});

it("looks at less of the longest, where hashing takes more of the time", () => {
  const measure = (count: number): number =>
    chooseLines(repeat(count, (n) => `line ${n} says nothing`)).lines.join("\n").length;
  expect(measure(3000)).toBeGreaterThan(31_000);
  expect(measure(5000)).toBeLessThan(23_000);
});
