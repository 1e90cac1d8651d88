import { expect, it } from "vitest";
import { parseSearchRow } from "./search-rows.ts";

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
