/** If red: the record names a wrong line or function as the place to resume. */
import { describe, expect, it } from "vitest";
import { locateEdit } from "./locate-edit.ts";

const FILE = `import { z } from "zod";

export function parseLine(text: string): Line {
  const parts = text.split(",");
  return { parts };
}

class Reader {
  async readAll(path: string) {
    if (path === "") {
      return [];
    }
    return parse(path);
  }
}
`;

const locate = (before: string, after: string, content: string = FILE, path = "a.ts") =>
  locateEdit(path, [before, after], { content, text: "" });

describe("the place of a change", () => {
  it.each([
    ["a function", "split()", 'text.split(",")', { line: 4, symbol: "parseLine" }],
    ["a method, past an if", "return;", "return [];", { line: 11, symbol: "readAll" }],
    ["the declaration itself", "class R {", "class Reader {", { line: 8, symbol: "Reader" }],
    ["the top of the file", "zed", 'import { z } from "zod"', { line: 1, symbol: "" }],
  ])("is the line and the declaration around it: %s", (_where, before, after, place) => {
    expect(locate(before, after)).toEqual(place);
  });

  it("begins where the new text parts from the old", () => {
    const before = 'function parseLine(text: string): Line {\n  const parts = text.split(",");\n  return parts;';
    const after = 'function parseLine(text: string): Line {\n  const parts = text.split(",");\n  return { parts };';
    expect(locate(before, after)).toEqual({ line: 5, symbol: "parseLine" });
  });

  it.each([
    ["def load(path):\n    return 1\n", "return 1", "load"],
    ["func (s *Store) Save() error {\n\treturn nil\n}\n", "return nil", "Save"],
    ["pub fn run() {\n    go();\n}\n", "go();", "run"],
    ["function outer() {\n  function inner() {\n    a();\n  }\n  b();\n}\n", "b();", "outer"],
    ['describe("money", () => {\n  it("rounds", () => {\n    expect(1);\n  });\n});\n', "expect(1);", "rounds"],
  ])("is found in other languages: %j", (content, after, symbol) => {
    expect(locate("", after, content).symbol).toBe(symbol);
  });

  it("is the heading above it in prose, where a hash sign is no comment", () => {
    const text = "# Title\n\n## Refunds\n\nA line.\n";
    expect(locate("", "A line.", text, "notes.md")).toEqual({ line: 5, symbol: "Refunds" });
    expect(locate("", "A line.", text, "notes.sh")).toEqual({ line: 5, symbol: "" });
  });

  it("is read off the numbered answer where the content is not known", () => {
    const text = "The file was updated:\n    41→function pay() {\n    42→  go();";
    const texts = ["go()", "function pay() {\n  go();"];
    expect(locateEdit("a.ts", texts, { content: undefined, text })).toEqual({ line: 41, symbol: "pay" });
  });

  it("is unknown where nothing tells", () => {
    expect(locateEdit("a.ts", ["a", "b"], { content: undefined, text: "ok" })).toEqual({
      line: undefined,
      symbol: "",
    });
  });
});
