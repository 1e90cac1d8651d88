/** If red: the one row that differs is missing from the preview of a table. */
import { describe, expect, it } from "vitest";
import { findOddRows, type TableRow } from "./odd-rows.ts";

const rows = (count: number, make: (index: number) => Record<string, string>): readonly TableRow[] =>
  Array.from({ length: count }, (_, index) => new Map(Object.entries(make(index))));

describe("findOddRows", () => {
  it("finds the row whose value is none of the few that the others have", () => {
    expect(
      findOddRows(rows(200, (id) => ({ id: `${id}`, state: id === 7 ? "held" : id % 3 === 0 ? "a" : "b" }))),
    ).toEqual([{ row: 7, score: 2 }]);
  });

  it("puts a row that speaks of trouble before one that only differs", () => {
    const found = findOddRows(rows(200, (id) => ({ state: id === 3 ? "held" : id === 150 ? "FAILED" : "ok" })));
    expect(found.map(({ row }) => row)).toEqual([150, 3]);
  });

  it("finds a value that is missing, or of another sort, where every row has its own", () => {
    expect(findOddRows(rows(90, (id) => ({ name: id === 50 ? "" : `n${id}x` })))).toEqual([{ row: 50, score: 2 }]);
    expect(findOddRows(rows(90, (id): Record<string, string> => (id === 50 ? {} : { name: `n${id}x` })))).toHaveLength(
      1,
    );
  });

  it("finds nothing where all rows differ, all are alike, all are in trouble, or there are few", () => {
    expect(findOddRows(rows(100, (id) => ({ name: `word${id}` })))).toEqual([]);
    expect(findOddRows(rows(100, () => ({ name: "same" })))).toEqual([]);
    expect(findOddRows(rows(100, (id) => ({ message: `error ${id}` })))).toEqual([]);
    expect(findOddRows(rows(10, (id) => ({ kind: id === 5 ? "b" : "a" })))).toEqual([]);
  });

  it("says that none stands apart where many do", () => {
    expect(findOddRows(rows(100, (id) => ({ a: id % 10 === 0 ? `x${id}y` : "same" })))).toEqual([]);
  });
});
