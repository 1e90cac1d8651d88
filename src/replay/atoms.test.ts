/** If red: replay counts something as needed that the model did not use, and its figures are wrong. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import type { Block } from "../core/message.ts";
import { createAtomIndex, isEditLine, listNeededAtoms, readBlockText } from "./atoms.ts";

const ROOT = "/home/nobody/project";

function said(text: string): readonly Block[] {
  return [{ kind: "text", id: "t", text, author: "model" }];
}

function called(input: JsonObject): readonly Block[] {
  return [{ kind: "toolCall", id: "c", callId: "c", tool: "Any", input }];
}

function listAtoms(outputs: readonly Block[]): readonly string[] {
  return [...listNeededAtoms(outputs, ROOT)].sort();
}

describe("what an answer needs to know", () => {
  it.each([
    ["a word with a hump", "call parseLedger now", ["wparseLedger"]],
    ["a word with an underscore", "set max_retries now", ["wmax_retries"]],
    ["a word with digits", "see issue rfc2119 now", ["wrfc2119"]],
    ["a number of four digits", "port 8080 now", ["w8080"]],
    ["a hash", "commit a1b2c3d4e5 now", ["wa1b2c3d4e5"]],
    ["an address", "see https://example.org/guide. Then", ["uhttps://example.org/guide"]],
    ["a path through folders", "in lib/deep/place now", ["plib/deep/place"]],
    ["a file's name", "in notes.md now", ["pnotes.md"]],
    ["a path below the session's folder", `in ${ROOT}/lib/notes.md now`, ["plib/notes.md"]],
    ["a line that reports an error", "Error: it broke", ["lError: it broke"]],
  ])("is %s", (_, text, atoms) => {
    expect(listAtoms(said(text))).toEqual(atoms);
    expect(listAtoms(called({ command: text }))).toEqual(atoms);
  });

  it("is every line of what an edit replaces, each as a line and not as words", () => {
    const atoms = listAtoms(
      called({ old_string: "  const maxRetries = 3;\n}\n\nreturn maxRetries;", file_path: "a.ts" }),
    );
    expect(atoms).toEqual(["econst maxRetries = 3;", "ereturn maxRetries;", "pa.ts"]);
    expect(atoms.filter(isEditLine)).toHaveLength(2);
  });

  it.each([
    ["ordinary words", "then we look at the other place again"],
    ["a number of three digits", "line 404 there"],
    ["two words with a stroke", "read and/or write"],
    ["what everybody knows", "2>/dev/null in_progress node_modules package.json TypeScript"],
    ["a very long word", `x${"aB".repeat(41)}`],
  ])("is not %s", (_, text) => {
    expect(listAtoms(said(text))).toEqual([]);
  });

  it("is not what a schema offers, nor what was thought", () => {
    expect(
      listAtoms(
        called({ timeout: "120000", mode: "acceptEdits", status: "in_review", subagent_type: "code_reviewer" }),
      ),
    ).toEqual([]);
    expect(listAtoms([{ kind: "thinking", id: "x", text: "parseLedger", signature: "s" }])).toEqual([]);
  });

  it("is looked for inside nested inputs", () => {
    expect(listAtoms(called({ edits: [{ old_string: "one line" }, { new_string: "callMe" }] }))).toEqual([
      "eone line",
      "wcallMe",
    ]);
  });
});

describe("what a text holds", () => {
  const atoms = [
    "plib/notes.md",
    "pnotes.md",
    "plib/deep",
    "econst a = 1;",
    "lError: it broke",
    "wparseLedger",
    "w8080",
    "uhttps://example.org/a",
  ];
  const index = createAtomIndex(new Map(atoms.map((atom, number) => [atom, number])), ROOT);
  const find = (text: string): readonly (string | undefined)[] => [...index(text)].map((number) => atoms[number]);

  it.each([
    ["the bare line", "const a = 1;"],
    ["an indented line", "    const a = 1;  "],
    ["a line number and an arrow", "    12→const a = 1;"],
    ["a line number and a tab", "12\tconst a = 1;"],
    ["a line number and a colon", "12:const a = 1;"],
    ["a line number and a dash", "12-const a = 1;"],
    ["an added line of a diff", "+const a = 1;"],
    ["a removed line of a diff", "-const a = 1;"],
    ["a file's name and a line number", "src/a.ts:12:const a = 1;"],
    ["a file's name alone", "src/a.ts:const a = 1;"],
  ])("is a line after %s", (_, text) => {
    expect(find(`before\n${text}\nafter`)).toEqual(["econst a = 1;"]);
  });

  it("is a path inside a longer one, from its end and from its beginning", () => {
    expect(find("see /home/other/lib/notes.md:12 there")).toEqual(["plib/notes.md", "pnotes.md"]);
    expect(find("see lib/deep/inside/file.c there")).toEqual(["plib/deep"]);
  });

  it("is neither half a word nor half a line", () => {
    expect(find("reparseLedgers 18080 const a = 1; // more")).toEqual([]);
  });

  it("is a word, a number, an address and an error line", () => {
    expect(find("parseLedger at 8080\nError: it broke\n(https://example.org/a)")).toEqual([
      "lError: it broke",
      "wparseLedger",
      "w8080",
      "uhttps://example.org/a",
    ]);
  });
});

it("reads a block's words: inputs value by value, results part by part, thinking not at all", () => {
  const [block] = called({ path: "a.ts", lines: [1, { deep: "b" }] });
  expect(block && readBlockText(block)).toBe("a.ts\n1\nb");
  const parts = [
    { kind: "text", text: "one" } as const,
    { kind: "opaque", raw: {} } as const,
    { kind: "text", text: "two" } as const,
  ];
  expect(readBlockText({ kind: "toolResult", id: "r", callId: "c", parts, isError: false })).toBe("one\ntwo");
  expect(readBlockText({ kind: "thinking", id: "x", text: "hidden", signature: "" })).toBe("");
});
