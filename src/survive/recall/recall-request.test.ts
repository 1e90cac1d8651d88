/** If red: a recall with several handles, or with one written in another way, finds nothing. */
import { describe, expect, it } from "vitest";
import { parseHandles, parseRecall } from "./recall-request.ts";

const DIGITS = "0123456789ab";
const HANDLE = `plimsoll:${DIGITS}`;
const whole = { name: HANDLE, digits: DIGITS, section: undefined, range: undefined };

describe("what a recall asks for", () => {
  it("is the first page of the whole where nothing else is said", () => {
    expect(parseRecall({ handle: HANDLE })).toEqual({ wanted: [whole], page: 1, lines: undefined, pattern: "" });
    expect(parseRecall({ handle: [HANDLE, 7], lines: [], page: " 2 ", pattern: "keel" })).toEqual({
      wanted: [whole],
      page: 2,
      lines: undefined,
      pattern: "keel",
    });
  });

  it.each([
    [[3, 9], [[3, 9]]],
    [[9, 3], [[3, 9]]],
    [["4"], [[4, 4]]],
    [4, [[4, 4]]],
    [
      [7, 2, 3],
      [
        [2, 3],
        [7, 7],
      ],
    ],
    [
      [1, 2, 3, 5],
      [
        [1, 3],
        [5, 5],
      ],
    ],
    [
      "10-40, 60",
      [
        [10, 40],
        [60, 60],
      ],
    ],
    ["30-40 20-35", [[20, 40]]],
    ["20-40 25-30", [[20, 40]]],
    ["5 .. 2", [[2, 5]]],
    [
      ["5-2", 9],
      [
        [2, 5],
        [9, 9],
      ],
    ],
  ] as const)("takes lines as %j for %j", (lines, spans) => {
    expect(parseRecall({ handle: HANDLE, lines })).toMatchObject({ lines: spans });
  });

  it.each([
    [{}, "Give a handle: plimsoll:… or call:…, as it appears in the conversation."],
    [{ handle: " , " }, "Give a handle: plimsoll:… or call:…, as it appears in the conversation."],
    [
      { handle: Array.from({ length: 101 }, (_, at) => `call:${at}`) },
      "Too many handles: 101. Pass at most 100, or a range of lines of one handle, such as plimsoll:…#3-9.",
    ],
    [{ handle: "x".repeat(201) }, "A handle has at most 200 characters."],
    [{ handle: HANDLE, page: 0 }, "page must be a number of at least 1, not 0."],
    [{ handle: HANDLE, page: 1.5 }, "page must be a number of at least 1, not 1.5."],
    [{ handle: HANDLE, page: "two" }, 'page must be a number of at least 1, not "two".'],
    [{ handle: HANDLE, page: null }, "page must be a number of at least 1, not null."],
    [{ handle: HANDLE, lines: "all" }, 'lines must be [from, to] or a list of lines, all at least 1, not "all".'],
    [{ handle: HANDLE, lines: [0, 3] }, "lines must be [from, to] or a list of lines, all at least 1, not [0,3]."],
    [{ handle: HANDLE, lines: ["3-"] }, 'lines must be [from, to] or a list of lines, all at least 1, not ["3-"].'],
    [{ handle: HANDLE, pattern: 3 }, "pattern must be a string, not 3."],
    [{ handle: HANDLE, pattern: ["x".repeat(200)] }, `pattern must be a string, not ["${"x".repeat(98)}.`],
  ])("says what is wrong with %j", (input, problem) => {
    expect(parseRecall(input)).toEqual({ problem });
  });

  it("may be a hundred handles of two hundred characters", () => {
    const handle = Array.from(
      { length: 100 },
      (_, at) => `call:${"x".repeat(193)}${10 + (at % 90)}${at < 90 ? "" : "y"}`,
    );
    expect(parseRecall({ handle: handle.map((each) => each.slice(0, 200)) })).toHaveProperty("wanted");
  });
});

describe("handles", () => {
  it.each([
    [HANDLE, [whole]],
    ["0123AB", [{ ...whole, name: "0123AB", digits: "0123ab" }]],
    [`${HANDLE}#12i`, [{ ...whole, name: `${HANDLE}#12i`, section: "12i" }]],
    [`${HANDLE}#9-3`, [{ ...whole, name: `${HANDLE}#9-3`, range: [3, 9] }]],
    [`${HANDLE}#3..#9`, [{ ...whole, name: `${HANDLE}#3..#9`, range: [3, 9] }]],
    ["call:abc", [{ ...whole, name: "call:abc", digits: undefined }]],
    ["12345", [{ ...whole, name: "12345", digits: undefined }]],
    ["#3", [{ ...whole, name: "#3", digits: undefined }]],
  ])("of %s are %j", (text, wanted) => {
    expect(parseHandles([text])).toEqual(wanted);
  });

  it("come in a list of any form, each once, and a line alone belongs to the digits before it", () => {
    const names = parseHandles([`["${HANDLE}#3", '#thoughts'; call:x`, `#5-6,${HANDLE}#3] plimsoll:ffffffffffff #1`]);
    expect(names.map(({ name }) => name)).toEqual([
      `${HANDLE}#3`,
      `${HANDLE}#thoughts`,
      "call:x",
      `${HANDLE}#5-6`,
      "plimsoll:ffffffffffff",
      "plimsoll:ffffffffffff#1",
    ]);
  });
});
