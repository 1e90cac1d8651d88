/** If red: names that a later search would need are missing from a preview. */
import { describe, expect, it } from "vitest";
import { rankNames, renderNamesIndex } from "./names-index.ts";
import { parseSheet } from "./sheet.ts";

describe("rankNames", () => {
  const names = (text: string, withPaths = true) => [...rankNames(text.split("\n"), withPaths)].map(({ name }) => name);

  it("finds coined words and paths, the most frequent first", () => {
    expect(names("call readFile in src/a.ts, then readFile and some_name or item2 of the words")).toEqual([
      "readFile",
      "src/a.ts",
      "some_name",
      "item2",
    ]);
  });

  it("takes paths apart into words where paths are not wanted", () => {
    expect(names("src/readFile/a_file.ts", false)).toEqual(["readFile", "a_file"]);
  });

  it("passes over hashes, numbers, dates and closing tags", () => {
    expect(names("a94a8fe5ccb1 deadbeef99 12/01/2026 </td> 0x1f2e3d 10.0.0.1")).toEqual([]);
  });
});

it("tells only what is not shown, and no piece of a secret", () => {
  const sheet = parseSheet("alphaBeta gammaDelta\nDB_PASSWORD=epsilonZeta9 x\npassword: etaTheta7");
  expect(renderNamesIndex(sheet, { names: "words", shown: "alphaBeta", room: 200 })).toBe(
    "also names: gammaDelta DB_PASSWORD",
  );
  expect(renderNamesIndex(sheet, { names: "none", shown: "", room: 200 })).toBe("");
  expect(renderNamesIndex(sheet, { names: "words", shown: "", room: 20 })).toBe("");
});
