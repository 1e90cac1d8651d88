/** If red: sorting a table loses rows, or an export hands a formula to a spreadsheet. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderVisible, splitHidden } from "./safe.tsx";
import { arrange, type TableColumn, toCsv, toJson } from "./table.tsx";

interface Row {
  readonly name: string;
  readonly usd: number;
}

const COLUMNS: readonly TableColumn<Row>[] = [
  { name: "Name", render: ({ name }) => name, sortBy: ({ name }) => name },
  { name: "Cost", render: ({ usd }) => String(usd), sortBy: ({ usd }) => usd },
  { name: "Fixed", render: () => "" },
];
const rows: readonly Row[] = [
  { name: "b", usd: 2 },
  { name: "a10", usd: 10 },
  { name: "A9", usd: 1 },
];
const names = (column: string, isReversed = false) =>
  arrange(rows, COLUMNS, { column, isReversed }).map(({ name }) => name);

describe("the order of a table", () => {
  it("is from the largest number, and from the first word whatever its case", () => {
    expect(names("Cost")).toEqual(["a10", "b", "A9"]);
    expect(names("Name")).toEqual(["A9", "a10", "b"]);
  });

  it("is the other way round at the second click", () => {
    expect(names("Cost", true)).toEqual(["A9", "b", "a10"]);
    expect(names("Name", true)).toEqual(["b", "a10", "A9"]);
  });

  it("is left as it was by a column that has none", () => {
    expect(names("Fixed")).toEqual(["b", "a10", "A9"]);
    expect(arrange(rows, COLUMNS, undefined)).toBe(rows);
  });

  it("loses and doubles no row", () => {
    const anyRows = fc.array(fc.record({ name: fc.string(), usd: fc.double({ noNaN: true }) }));
    fc.assert(
      fc.property(anyRows, fc.constantFrom("Name", "Cost"), fc.boolean(), (some, column, isReversed) => {
        expect(new Set(arrange(some, COLUMNS, { column, isReversed }))).toEqual(new Set(some));
      }),
    );
  });
});

describe("a table that is kept", () => {
  it("says the same as CSV and as JSON, and hands a spreadsheet no formula", () => {
    const rows = [
      { name: 'a "b", c', usd: 1.5 },
      { name: "=1+1", usd: Number.NEGATIVE_INFINITY },
    ];
    const columns = [
      { name: "Name", render: ({ name }: { readonly name: string }) => name },
      { name: "Cost", render: () => "", sortBy: ({ usd }: { readonly usd: number }) => usd },
    ];
    expect(toCsv(rows, columns)).toBe('Name,Cost\n"a ""b"", c",1.5\n\'=1+1,\n');
    expect(JSON.parse(toJson(rows, columns))).toEqual([
      { Name: 'a "b", c', Cost: 1.5 },
      { Name: "=1+1", Cost: null },
    ]);
  });
});

describe("splitHidden", () => {
  it.each([
    ["plain words", "plain words"],
    ["a\tb\nc", "a b c"],
    ["\u001b[31mred", "ESC[31mred"],
    ["\u0000\u0007\u007f\u009b", "NULBELDELU+009B"],
    ["gpj\u202eexe\u2066", "gpjU+202EexeU+2066"],
    ["a\u200bb\ufeff", "aU+200BbU+FEFF"],
    ["日本 é 🚢", "日本 é 🚢"],
  ])("tells %j as %j", (text, visible) => {
    expect(renderVisible(text)).toBe(visible);
  });

  it("takes a carriage return before a line feed for a line end, and any other for a control", () => {
    expect(splitHidden("a\r\nb\rc")).toEqual([{ text: "a" }, { text: "\nb" }, { hidden: "CR" }, { text: "c" }]);
  });

  it("leaves nothing hidden, and loses nothing that is seen", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const pieces = splitHidden(text);
        const seen = pieces.flatMap((piece) => ("text" in piece ? [piece.text] : [])).join("");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left
        expect(seen).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
        expect(text.length - seen.length).toBeGreaterThanOrEqual(pieces.filter((piece) => "hidden" in piece).length);
      }),
    );
  });
});
