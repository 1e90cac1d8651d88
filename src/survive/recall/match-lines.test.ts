/** If red: a search in an original misses lines that match, or hangs on a hard pattern. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { matchLines } from "./match-lines.ts";
import { selectHits } from "./page-text.ts";

const numbered = (lines: number): string => Array.from({ length: lines }, (_, index) => `line ${index + 1}`).join("\n");

/** As a recall shows one text. */
function find(text: string, pattern: string) {
  const { hits, note } = matchLines([text], pattern);
  return { ...selectHits(text, hits), taken: note, lines: hits.map(({ shown }) => shown) };
}

describe("a pattern of words", () => {
  const log = [
    "created the table",
    "add_node(name)",
    "node.updated_at = now",
    "def add_node(node): node.updated_at = now",
    "nothing",
    "the add_node and updated_at pair: add_node updated_at",
  ].join("\n");

  it("finds lines that hold all of them, a phrase first, then lines that hold some, and says which", () => {
    const { lines, taken } = find(log, "add_node updated_at");
    expect(lines).toEqual([
      "the add_node and updated_at pair: add_node updated_at",
      "def add_node(node): node.updated_at = now",
      "add_node(name)",
      "node.updated_at = now",
    ]);
    expect(taken).toBe("2 lines have all 2 words, then the best 2 with some");
  });

  it("counts a rare word more than a frequent one, and names the words that are nowhere", () => {
    const text = `${"the cargo is dry\n".repeat(40)}a leak in the bilge`;
    const { lines, taken } = find(text, "the leak zeppelin");
    expect(lines[0]).toBe("a leak in the bilge");
    expect(taken).toMatch(/^no lines have all 3 words, the best \d+ with some; nowhere: zeppelin$/);
  });

  it("finds a name with a dot as it is written, and as an expression only where it is written nowhere", () => {
    expect(find("hullxts\nsee hull.ts", "hull.ts").lines).toEqual(["see hull.ts"]);
    expect(find("hullxts", "hull.ts").lines).toEqual(["hullxts"]);
  });

  it("leaves quotes around a word out", () => {
    expect(find("one\nthe keel", '"keel"').lines).toEqual(["the keel"]);
  });
});

describe("a pattern that is an expression", () => {
  it("shows each line that matches, with its number and two neighbours either side, each once", () => {
    const text = [...numbered(5).split("\n"), "ERROR: seam leaks", "again an error", ...numbered(5).split("\n")].join(
      "\n",
    );
    const { text: shown, note, taken } = find(text, "error|seam");
    expect(shown.split("\n")).toEqual([
      "4: line 4",
      "5: line 5",
      "6: ERROR: seam leaks",
      "7: again an error",
      "8: line 1",
      "9: line 2",
    ]);
    expect(note).toBe("2 of 12 lines match");
    expect(taken).toBe("");
  });

  it("shows lines with the most of its alternatives first, and leaves none out", () => {
    const text = "the bow\nthe keel\nbow and keel\nthe mast";
    expect(find(text, "bow|keel|mast").lines).toEqual(["bow and keel", "the mast", "the bow", "the keel"]);
    expect(find(text, "bow|^the (?:keel|mast)$").lines).toEqual(text.split("\n"));
  });

  it.each([
    ["(?i)error \\d+", "Error 42"],
    ["(?s)seam.*leaks", "the seam leaks"],
    ["(?P<what>seam|plank) leaks", "the plank leaks"],
    ["(?im)^the (?:bow)", "the bow"],
    ["(?i:ERROR) 4", "error 4"],
    ["\\AThe\\b.*bow\\Z", "The red bow"],
    ["\\(?i\\)", "as i) says"],
  ])("may be spelled as in other languages: %s", (pattern, line) => {
    expect(find(`one\n\n\n\n${line}`, pattern)).toMatchObject({ lines: [line], taken: "" });
  });

  it.each([
    ["seam(?=s)", "not an expression that can be searched for; taken as words: "],
    ["(plank)\\1", "not an expression that can be searched for; taken as words: "],
    ["^plank$|^seam$", "nothing matches as an expression; taken as words: "],
  ])("says so if it was taken as words instead: %s", (pattern, said) => {
    const { lines, taken } = find("one\n\n\n\nseams, plank, s 1 of 2", pattern);
    expect(lines).toEqual(["seams, plank, s 1 of 2"]);
    expect(taken).toContain(said);
  });

  it.each(["f(x", "[a-", "a{2,1}", "*star", "(?<n", "\\"])("and is none, %s, is taken for its words", (pattern) => {
    const { text, note } = find(`one\n\n\n\nhere: ${pattern.toUpperCase()} found\n\n\n\nlast`, pattern);
    expect(text).toContain("found");
    expect(text).not.toContain("last");
    expect(note).toContain("1 of 9 lines match");
  });

  it("that matches nothing finds nothing", () => {
    expect(matchLines([numbered(3)], "leak").hits).toEqual([]);
    expect(matchLines([numbered(3)], "^leak").hits).toEqual([]);
  });

  it("never throws, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20, unit: "binary" }), fc.string({ maxLength: 30 }), (pattern, text) => {
        expect(() => find(text, pattern)).not.toThrow();
      }),
    );
  });
});

describe("a long line", () => {
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `plank ${id}`, state: "sound" }));
  const json = JSON.stringify(rows);

  it("is cut around each match, with what stands before and after it", () => {
    const { text, lines } = find(json, '"plank 1234"');
    expect(lines).toHaveLength(1);
    expect(text.length).toBeLessThan(600);
    expect(text).toMatch(/^1: ….*"id":1234,"name":"plank 1234","state":"sound".*…$/);
  });

  it("that matches only as a whole shows its beginning", () => {
    const { lines } = find(`start ${"x".repeat(5000)} end`, "start.*end$");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^start x+…$/);
  });

  it("is never cut within a character, and finds its word wherever it is", () => {
    fc.assert(
      fc.property(fc.nat(1500), fc.nat(1500), fc.constantFrom("\u{1f6a2}", "é", "a"), (before, after, filler) => {
        const { lines } = find(`${filler.repeat(before)} keel ${filler.repeat(after)}`, "keel");
        expect(lines.some((line) => line.includes(" keel "))).toBe(true);
        for (const line of lines) expect(Buffer.from(line).toString()).toBe(line);
      }),
    );
  });
});

describe("a dangerous pattern", () => {
  it.each([
    "(a+)+$",
    "(a*)*b",
    "(.*a){20}",
    "([a-z]+)*x",
    "(a+b?)+$",
    "(\\w+\\s?)+$",
    "((a))+$",
    "(a|a)+$",
    "(a?){30}b",
    "a*a*a*a*a*b",
    `${".?".repeat(26)}z`,
    ".*.*.*z",
  ])("%s answers at once", (pattern) =>
    expectProportional(5000, (length) => matchLines([`${"a".repeat(length)}!\n`.repeat(20)], pattern)),
  );

  it("is taken for what it says", () => {
    expect(find("one\n\n\n\nhere: (a+)+$ found aaa", "(a+)+$").note).toMatch(/^1 of 5 lines/);
  });

  it("of many words takes a time that grows with the text alone", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    expectProportional(20_000, (count) => matchLines(["word1 word2 word3\n".repeat(count)], words));
  });
});
