/** If red: a model that asks for a part of an original gets another part or too much. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { joinPages, parseRecalled } from "../../../test/support/recalled.ts";
import type { JsonObject } from "../../core/json.ts";
import { renderSections } from "../../layers/ledger/sections.ts";
import { answerRecall, renderReadableCall } from "./answer-recall.ts";
import { pickParts } from "./pick-parts.ts";
import { parseRecall } from "./recall-request.ts";

const HANDLE = "plimsoll:0123456789ab";

/** As an entry point answers it. */
function ask(sections: readonly (readonly [string, string])[], input: JsonObject, pageCharacters = 30_000): string {
  const request = parseRecall({ handle: HANDLE, ...input });
  if ("problem" in request) throw new Error(request.problem);
  const stored = renderSections(sections);
  const picked = request.wanted.map((wanted) => pickParts(wanted, stored));
  const answer = answerRecall(request, picked, { known: [], pageCharacters });
  return answer.isError ? answer.words : answer.blocks.join("\n");
}

const repeat = (line: string, times: number): string => Array.from({ length: times }, () => line).join("\n");

describe("a pattern on the handle of a segment", () => {
  const segment = [
    ["1i", JSON.stringify({ command: "npm test" })],
    ["1", `${repeat("ok", 50)}\nbow LEAKS\n${repeat("ok", 50)}`],
    ["2", "nothing here"],
    ["3i", JSON.stringify({ file_path: "hull.ts", content: "one\ntwo\nthree leaks\nfour\nfive\nsix" })],
    ["3", "written"],
    ["4", `data:image/png;base64,iVBORw0KGgoLEAKS`],
    ["thoughts", "it leaks"],
  ] as const;

  it("searches every original behind it and names the number of each that matches", () => {
    const found = parseRecalled(ask(segment, { pattern: "leaks" }));
    expect(found.map(({ heading }) => heading)).toEqual([
      `${HANDLE}#1 result: 1 of 101 lines match`,
      `${HANDLE}#3 call: 1 of 8 lines match`,
      `${HANDLE}#thoughts: 1 of 1 lines match`,
    ]);
    expect(found[0]?.body).toBe("49: ok\n50: ok\n51: bow LEAKS\n52: ok\n53: ok");
  });

  it("searches all lines where a range is given, too", () => {
    expect(ask(segment, { handle: `${HANDLE}#2`, pattern: "here", lines: [5, 9] })).toContain("1: nothing here");
  });

  it("puts the text with the best match first, and says how its words were found", () => {
    const reported = ask(segment, { pattern: "three leaks" });
    expect(reported).toMatch(/^\[1 line has all 2 words, then the best 2 with some\]\n/);
    expect(parseRecalled(reported).map(({ heading }) => heading.replace(/: .*/, ""))).toEqual(
      ["#3 call", "#1 result", "#thoughts"].map((each) => HANDLE + each),
    );
  });

  it("answers with a page that is worth reading, however much there is", () => {
    const many = Array.from({ length: 400 }, (_, index) => [`${index + 1}`, repeat("it leaks here", 20)] as const);
    const reported = ask(many, { pattern: "leaks" });
    expect(reported.length).toBeLessThan(6100);
    expect(reported).toContain("page 2 continues");
    const list = ask(many, {});
    expect(list.length).toBeLessThan(6100);
    expect(list).toContain("[page 1 of ");
  });

  it("says in one line how much was searched in vain", () => {
    expect(ask(segment, { pattern: "nowhere" })).toBe(`[${HANDLE}: 0 of 113 lines match: 0 characters]\n\n[end]`);
  });

  it("finds whatever line of whatever original it is given, and says where", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1 }), { minLength: 1 }), fc.nat(), (texts, at) => {
        const hit = at % texts.length;
        const sections = texts.map(
          (lines, index) => [`${index + 1}`, [...lines, ...(index === hit ? ["NEEDLE 7"] : [])].join("\n")] as const,
        );
        const found = parseRecalled(ask(sections, { pattern: "needle \\d" }));
        expect(found.map(({ heading }) => heading.replace(/: .*/, ""))).toEqual([`${HANDLE}#${hit + 1}`]);
        expect(found[0]?.body).toContain(`${(texts[hit]?.length ?? 0) + 1}: NEEDLE 7`);
      }),
    );
  });

  it("takes a time that grows with the segment alone", () => {
    expectProportional(300, (count) => {
      const sections = Array.from(
        { length: count },
        (_, index) => [`${index + 1}`, repeat("a".repeat(40), 20)] as const,
      );
      ask(sections, { pattern: "(a+)+$|.*.*z" });
    });
  });
});

describe("a part of a call", () => {
  const input = JSON.stringify({ file_path: "hull.ts", content: repeat("plank", 5000).replace("plank", "keel") });

  it("is a part of its texts, whose lines are lines", () => {
    const reported = ask([["1i", input]], { handle: `${HANDLE}#1i`, pattern: "keel" });
    expect(reported).toContain("1: file_path: hull.ts\n2: content:\n3: keel\n4: plank\n5: plank\n[end]");
    expect(ask([["1i", input]], { handle: `${HANDLE}#1i`, lines: [1, 3] })).toContain(
      "file_path: hull.ts\ncontent:\nkeel\n[end]",
    );
    expect(ask([["1i", input]], { handle: `${HANDLE}#1i`, lines: [9000, 9001] })).toBe(`${HANDLE}#1i has 5002 lines.`);
  });

  it("is the lines that are asked for, single ones and ranges, and a list that is neither is refused in words", () => {
    const five = repeat("plank", 9)
      .split("\n")
      .map((line, index) => `${line} ${index + 1}`)
      .join("\n");
    const reported = (lines: JsonObject["lines"]) => ask([["1", five]], { handle: `${HANDLE}#1`, lines });
    expect(reported([5, 6, 9])).toContain("lines 5 to 6, 9 of 9: 23 characters]\nplank 5\nplank 6\nplank 9\n");
    expect(reported("2-3, 7")).toContain("lines 2 to 3, 7 of 9");
    expect(reported("2 to 3")).toContain("lines 2 to 3 of 9");
    expect(reported([3, 2])).toContain("lines 2 to 3 of 9");
    for (const wrong of [["a", 4, 5], [0, 1, 2], "none", {}])
      expect(() => reported(wrong)).toThrow("lines must be [from, to] or a list of lines, all at least 1");
  });

  it("is as it was stored where nothing less is asked for", () => {
    expect(joinPages([ask([["1i", input]], { handle: `${HANDLE}#1i` }, 100_000)])).toBe(input);
  });

  it("names what lies in lists and objects, and leaves what is no call as it is", () => {
    const edits = [{ old_string: "a\nb", new_string: "c" }, null];
    expect(renderReadableCall(JSON.stringify({ edits, all: true, limit: 5 }))).toBe(
      "edits:\n[0]:\nold_string:\na\nb\nnew_string: c\n[1]: null\nall: true\nlimit: 5",
    );
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    for (const other of ["", "words", "[1]", "{", deep]) expect(renderReadableCall(other)).toBe(other);
  });

  it("holds every text of the input, whatever it is", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: "binary" }), fc.integer())), (fields) => {
        const printed = renderReadableCall(JSON.stringify(fields));
        for (const [name, value] of Object.entries(fields))
          expect([name, String(value)].every((each) => printed.includes(each))).toBe(true);
      }),
    );
  });
});

describe("several on a page", () => {
  const large = repeat("a line of a large file", 10_000);

  it("share it: the short ones whole, the large ones in equal parts, each with what is left and how to get it", () => {
    const reported = ask(
      [
        ["1", large],
        ["2", "short"],
        ["3i", large],
        ["3", "done"],
      ],
      { handle: `${HANDLE}#1-3` },
    );
    const found = parseRecalled(reported);
    expect(found.map(({ heading }) => heading)).toEqual(
      ["#1", "#2", "#3 call", "#3 result"].map((each) => HANDLE + each),
    );
    expect([found[1]?.body, found[3]?.body]).toEqual(["short", "done"]);
    const shares = [found[0], found[2]].map((each) => each?.body.length ?? 0);
    expect(Math.min(...shares)).toBeGreaterThan(14_000);
    expect(reported).toContain(
      `[${large.length - (shares[0] ?? 0)} characters left: ask for page 2 of the same handles, or for ${HANDLE}#1r alone]`,
    );
    expect(reported).toContain(
      `[${large.length - (shares[1] ?? 0)} characters left: ask for page 2 of the same handles, or for ${HANDLE}#3i alone]`,
    );
    expect(reported.length).toBeLessThanOrEqual(30_000);
  });

  it("that are too many for one begin later, and the page says how many and where", () => {
    const many = Array.from({ length: 60 }, (_, index) => [`${index + 1}`, large] as const);
    const reported = ask(many, { handle: `${HANDLE}#1-60` });
    const count = parseRecalled(reported).length;
    expect(count).toBeGreaterThan(20);
    expect(reported).toContain(`; ${60 - count} more texts follow, starting with ${HANDLE}#${count + 1}r]`);
    expect(reported.length).toBeLessThanOrEqual(30_000);
  });

  it("none is pushed away by another: each has its beginning on the first page as long as all have room for one", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40_000), { minLength: 2, maxLength: 20 }), (lengths) => {
        const sections = lengths.map((length, index) => [`${index + 1}`, "x".repeat(length)] as const);
        const found = parseRecalled(ask(sections, { handle: `${HANDLE}#1-20` }));
        expect(found).toHaveLength(lengths.length);
        for (const [index, { body }] of found.entries())
          expect(body.length).toBeGreaterThanOrEqual(Math.min(lengths[index] ?? 0, 1000));
      }),
    );
  });
});
