/** If red: a preview of search results leaves out files that were found. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";
import { parseSearchRow } from "./search-hits.ts";

it("shows every file once with its first hits", () => {
  const text = ["a", "b", "c"]
    .map((name) => repeat(20, (n) => `/home/me/shop/src/${name}.ts:${n}:  const price${name} = findPrice(${n});`))
    .join("\n");
  const { kind, lines } = previewOf(text, { tool: "Grep" });
  expect(kind).toBe("search hits");
  expect(lines[0]).toBe("60 hits in 3 files under /home/me/shop/src/");
  expect(lines).toContain("a.ts:1: const pricea = findPrice(1);");
  expect(lines).toContain("b.ts:1: const priceb = findPrice(1);");
  expect(lines).toContain("c.ts:1: const pricec = findPrice(1);");
});

it("names all files before it shows texts where there are many", () => {
  const text = repeat(60, (n) => `src/part-${n % 30}/file-${n % 30}.ts:${n}:  use(thing);`);
  const shown = previewOf(text, { tool: "Grep" }).lines.join("\n");
  for (let n = 0; n < 30; n++) expect(shown).toContain(`file-${n}.ts:`);
});

it("shows what stands below a hit when context was asked for", () => {
  const text = `src/a.ts:10:function findPrice() {\n${repeat(60, (n) => `src/a.ts-${10 + n}-  line ${n} of the body of it, with some words`)}`;
  const { lines } = previewOf(text, { tool: "Grep" });
  expect(lines.slice(1, 4)).toEqual([
    "src/a.ts:10: function findPrice() {",
    "11: line 1 of the body of it, with some words",
    "12: line 2 of the body of it, with some words",
  ]);
});

it("prefers definitions to uses", () => {
  const text = `${repeat(60, (n) => `src/a.ts:${n}:  findPrice(item, ${n}, "a longer line of code");`)}\nsrc/a.ts:99:export function findPrice(item: Item): Price {`;
  expect(previewOf(text, { tool: "Grep" }).lines.join("\n")).toContain("99: export function findPrice");
});

it("reads the hits in one file, which have no path", () => {
  const text = repeat(130, (n) => `${n}:  call(${n})`);
  expect(previewOf(text, { tool: "Bash", command: "grep -n call a.ts" })).toMatchObject({ kind: "search hits" });
});

it.each([
  ["src/a.ts:12:  text: x", { path: "src/a.ts", number: "12", text: "  text: x", kind: "hit" }],
  ["C:\\shop\\a.ts:12:text", { path: "C:\\shop\\a.ts", number: "12", text: "text", kind: "hit" }],
  ["src/my-file-2.ts-12-text - more", { path: "src/my-file-2.ts", number: "12", text: "text - more", kind: "context" }],
  ["12:text", { path: "", number: "12", text: "text", kind: "hit" }],
  ["12-text", { path: "", number: "12", text: "text", kind: "context" }],
  ["src/a.ts:3", { path: "src/a.ts", number: "", text: "3 hits", kind: "count" }],
  ["src/a.ts", { path: "src/a.ts", number: "", text: "", kind: "path" }],
])("reads %j", (line, row) => {
  expect(parseSearchRow(line)).toEqual(row);
});

it.each(["--", "", "INFO 12:34:56 done", "Found 3 files", "  indented.ts", "A sentence. And another.", "if (a.b) {"])(
  "takes %j for no row",
  (line) => {
    expect(parseSearchRow(line)).toBeUndefined();
  },
);
