import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { STATE_FILES } from "../../survive/project-state/state-files.ts";
import { parseStateFiles } from "./parse-state-files.ts";

describe("the files of the state that are wanted", () => {
  it("[R118] are named with or without their ending, or all, or none", () => {
    expect(parseStateFiles(["progress", "learnings.jsonl"])).toEqual(["progress.md", "learnings.jsonl"]);
    expect(parseStateFiles(true)).toEqual(STATE_FILES);
    expect(parseStateFiles(false)).toEqual([]);
  });

  it("are refused with a word where one is none", () => {
    for (const wrong of ["progress", ["../etc/passwd"], [7], null, {}])
      expect(parseStateFiles(wrong)).toMatch(/^write true, false or a list of checkpoint\.md, /);
  });

  it("are files of the state or words, whatever is written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const files = parseStateFiles(value);
        expect(typeof files === "string" || files.every((file) => STATE_FILES.includes(file))).toBe(true);
      }),
    );
  });
});
