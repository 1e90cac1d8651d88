/** If red: the model fetches back a part of what it asked for, or another text. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { renderSections } from "../../layers/ledger/sections.ts";
import type { CallNote } from "../record/trail.ts";
import { answerRecall, findNearest } from "./answer-recall.ts";
import { pickParts } from "./pick-parts.ts";
import { createCalled, createHashPort, nameApart, recall } from "./recall.ts";
import { parseRecall } from "./recall-request.ts";

const HANDLE = "plimsoll:0123456789ab";
const png = "data:image/png;base64,iVBORw0KGgoA";

interface Asked {
  readonly known?: readonly string[];
  readonly pageCharacters?: number;
}

/** What is stored under `HANDLE`; anything else is missing. */
function answer(stored: string, input: JsonObject, { known = [], pageCharacters = 30_000 }: Asked = {}) {
  const request = parseRecall({ handle: HANDLE, ...input });
  if ("problem" in request) throw new Error(request.problem);
  const picked = request.wanted.map((wanted) =>
    wanted.digits === HANDLE.slice(9) ? pickParts(wanted, stored) : { missing: { name: wanted.name, why: "" } },
  );
  const given = answerRecall(request, picked, { known, pageCharacters });
  return given.isError ? given.words : given.blocks;
}

const segment = renderSections([
  ["1i", JSON.stringify({ limit: 3, command: "  npm test  " })],
  ["1", "ok\nall"],
  ["2", `\nread ${"x".repeat(80)}`],
  ["4i", "{}"],
  ["thoughts", "why"],
]);

describe("a segment of a ledger", () => {
  it("alone is the list of what is in it", () => {
    expect(answer(segment, {})).toEqual([
      `[${HANDLE}: 263 characters]
List of contents. Add one of these numbers to the handle, or several, such as #3-9:
#1: call 36 characters, result 6 characters, npm test
#2: 86 characters, read ${"x".repeat(54)}…
#4: call 2 characters
#thoughts: 3 characters
[end]`,
    ]);
  });

  it("gives a call, its result or both, a range in order, and its other parts by their name", () => {
    const call = `[${HANDLE}#1i: 36 characters]\n{"limit":3,"command":"  npm test  "}\n[end]`;
    const result = `[${HANDLE}#1r: 6 characters]\nok\nall\n[end]`;
    expect(answer(segment, { handle: `${HANDLE}#1i` })).toEqual([call]);
    expect(answer(segment, { handle: `${HANDLE}#1r` })).toEqual([result]);
    const both = [call.replace("#1i", "#1 call"), result.replace("#1r", "#1 result")].join("\n");
    expect(answer(segment, { handle: `${HANDLE}#1` })).toEqual([both]);
    const rest = `[${HANDLE}#4 call: 2 characters]\n{}\n[end]\n[${HANDLE}#thoughts: 3 characters]\nwhy\n[end]`;
    expect(answer(segment, { handle: `${HANDLE}#3-900, #thoughts` })).toEqual([rest]);
  });

  it.each([
    ["#7", `There is no ${HANDLE}#7: ${HANDLE} has #1-2, #4, #thoughts.`],
    ["#5-9", `There is no ${HANDLE}#5-9: ${HANDLE} has #1-2, #4, #thoughts.`],
    ["#2i", `There is no ${HANDLE}#2i: ${HANDLE} has #1-2, #4, #thoughts.`],
  ])("says for %s what it has instead", (part, words) => {
    expect(answer(segment, { handle: HANDLE + part })).toBe(words);
  });

  it("names twenty ranges at most, and says of a text without lines that it has none", () => {
    const odd = renderSections(Array.from({ length: 21 }, (_, at) => [`${at * 2 + 1}`, "x"] as const));
    const names = Array.from({ length: 20 }, (_, at) => `#${at * 2 + 1}`).join(", ");
    expect(answer(odd, { handle: `${HANDLE}#2` })).toBe(`There is no ${HANDLE}#2: ${HANDLE} has ${names}, ….`);
    expect(answer("plain", { handle: `${HANDLE}#2` })).toBe(
      `There is no ${HANDLE}#2: ${HANDLE} has no numbered lines: leave out the # part, and pass lines to select a part.`,
    );
  });
});

describe("a handle that stands for nothing", () => {
  const HINT =
    "\nHandles look like plimsoll:1a2b3c4d5e6f or call:abc123. They appear at the end of a folded result, or at the end of a line in the record.";
  const known = ["plimsoll:fffff0000000", "plimsoll:aaaaaaaaaaaa", "call:abcdef", "plimsoll:ffffff111111"];

  it.each([
    [
      "call:abcdeg",
      `Nothing is kept under "call:abcdeg". Nearest known: call:abcdef, plimsoll:aaaaaaaaaaaa, plimsoll:fffff0000000.${HINT}`,
    ],
    [
      "plimsoll:ffff",
      `Nothing is kept under "plimsoll:ffff". Nearest known: plimsoll:fffff0000000, plimsoll:ffffff111111, call:abcdef.${HINT}`,
    ],
    [
      "plimsoll:aaaaaaaaaaaa",
      'What was kept under "plimsoll:aaaaaaaaaaaa" has changed since it was stored, and cannot be returned.',
    ],
    [
      "plimsoll:fffff0#3",
      `Nothing is kept under "plimsoll:fffff0#3". Nearest known: plimsoll:fffff0000000, call:abcdef, plimsoll:ffffff111111.${HINT}`,
    ],
  ])("is answered in words: %s", (handle, words) => {
    expect(answer("x", { handle }, { known })).toBe(words);
  });

  it("that may mean two is answered with both, and with no handle known by what a handle looks like", () => {
    const both = ["plimsoll:fffff0000000", "plimsoll:fffff0111111"];
    expect(answer("x", { handle: "plimsoll:fffff0" }, { known: both })).toBe(
      `"plimsoll:fffff0" matches more than one handle: ${both.join(", ")}.`,
    );
    expect(answer("x", { handle: "call:x" })).toBe(`Nothing is kept under "call:x".${HINT}`);
  });

  it("stands next to what another one gives", () => {
    expect(answer("hull", { handle: `call:x ${HANDLE}` })).toEqual([
      `[Nothing is kept under "call:x".]\n[${HANDLE}: 4 characters]\nhull\n[end]`,
    ]);
  });

  it("is nearest to those that begin like it, then to those with the fewest other signs, each known one once", () => {
    expect(
      findNearest("call:toolu_ab", ["call:ax", "call:toolu_abc", "call:abc", "call:a", "call:zzzz", "call:ax"]),
    ).toEqual([...["call:toolu_abc", "call:abc", "call:a"]]);
    expect(findNearest("a", ["bbbb", "abbbb", "b"])).toEqual(["b", "bbbb", "abbbb"]);
  });
});

describe("a page", () => {
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`).join("\n");

  it("that there is not is said, with how many there are", () => {
    expect(answer("hull", { page: 2 })).toBe("There is no page 2: there is one page.");
    expect(answer(lines, { page: 9 }, { pageCharacters: 2000 })).toBe("There is no page 9: there are 2 pages.");
  });

  it("ends at a line end, says where it lies and which one continues, and the last says no more", () => {
    const [first, second] = [1, 2].map((page) => answer(lines, { page }, { pageCharacters: 2000 })[0]);
    const bodies = [first, second].map((text) => String(text).replace(/^\[.*?\]\n|\n\[end\][\s\S]*$/g, ""));
    expect(bodies.join("")).toBe(lines);
    expect(first).toMatch(/^\[plimsoll:0123456789ab: characters 1 to \d+ of 3491\]\nline 1\n/);
    expect(first).toMatch(/\n\n\[end\]\n\[page 1 of 2; page 2 continues; pass lines or pattern for a part\]$/);
    expect(second).toMatch(/\nline 400\n\[end\]\n\[page 2 of 2\]$/);
  });

  it("holds a picture as a picture between the texts around it", () => {
    const shown = answer(
      renderSections([
        ["1", "a"],
        ["2", png],
        ["3", "b"],
      ]),
      { handle: `${HANDLE}#1-3` },
    );
    expect(shown).toEqual([
      `[${HANDLE}#1: 1 characters]\na\n[end]\n[${HANDLE}#2: image/png, 9 bytes]`,
      { mediaType: "image/png", data: "iVBORw0KGgoA", bytes: 9 },
      `[${HANDLE}#3: 1 characters]\nb\n[end]`,
    ]);
  });

  it("of lines that no text has says how many each has, and of a picture searches nothing", () => {
    expect(answer("a\nb", { lines: [7, 9] })).toBe(`${HANDLE} has 2 lines.`);
    expect(answer("a", { lines: [7, 9] })).toBe(`${HANDLE} has 1 line.`);
    expect(answer(png, { pattern: "iVBOR" })).toEqual([`[${HANDLE}: 0 of 0 lines match: 0 characters]\n\n[end]`]);
  });

  it("says how a pattern was taken before what it found", () => {
    expect(answer("keel", { pattern: "keel(?=s)" })).toEqual([
      `[not an expression that can be searched for; taken as words: no lines have all 2 words, the best 1 with some; nowhere: s]\n[${HANDLE}: 1 of 1 lines match: 7 characters]\n1: keel\n[end]`,
    ]);
  });
});

describe("the originals of a conversation", () => {
  const [ONE, OTHER] = ["a".repeat(64), "b".repeat(64)];
  const texts = new Map([
    [ONE, "one"],
    [OTHER, "other"],
  ]);
  const port = createHashPort({ hashes: () => [ONE], read: (hash) => texts.get(hash) });
  const ask = async (handle: string, more: Partial<typeof port> = {}) => {
    const given = await recall({ handle }, { ...port, ...more });
    return given.isError ? given.words : given.blocks.join("\n");
  };

  it("are read by twelve digits, by fewer or by all of them, and nothing that is out of reach", async () => {
    for (const digits of [12, 6, 64])
      expect(await ask(`plimsoll:${ONE.slice(0, digits)}`)).toContain("characters]\none\n[end]");
    const wrong = await ask(`plimsoll:${OTHER.slice(0, 12)}`, { stored: (digits) => texts.get(digits) });
    expect(wrong).toContain(
      `Nothing is kept under "plimsoll:${OTHER.slice(0, 12)}". Nearest known: plimsoll:aaaaaaaaaaaa.`,
    );
  });

  it("are those that it quotes, too, and these are asked for only when something is not its own", async () => {
    let asked = 0;
    const stored = (digits: string) => [...texts].find(([hash]) => hash.startsWith(digits))?.[1];
    const quoted = () => {
      asked++;
      return [`plimsoll:${OTHER.slice(0, 12)}`, "call:abcdef"];
    };
    expect(await ask(`plimsoll:${ONE.slice(0, 12)}`, { stored, quoted })).toContain("one");
    expect(asked).toBe(0);
    expect(await ask(`plimsoll:${OTHER.slice(0, 12)}`, { stored, quoted })).toContain("other");
    expect(await ask("call:abcdeg", { stored, quoted })).toContain("Nearest known: call:abcdef");
    expect(asked).toBe(2);
  });

  it("that cannot be read say why, and a long handle that means several gives those that can be", async () => {
    expect(await ask(`plimsoll:${ONE.slice(0, 12)}`, { stored: () => ({ why: "the disk is full." }) })).toBe(
      "There is no plimsoll:aaaaaaaaaaaa: the disk is full.",
    );
    const [first, second] = [`${"c".repeat(12)}1`, `${"c".repeat(12)}2`];
    const own = () => [first, second];
    const stored = (digits: string) => (digits === first ? renderSections([["1", "whole"]]) : { why: "gone." });
    expect(await ask(`plimsoll:${"c".repeat(12)}#1`, { own, stored })).toBe(
      `[plimsoll:${first}#1: 5 characters]\nwhole\n[end]`,
    );
    expect(await ask(`plimsoll:${"c".repeat(12)}`, { own, stored: () => ({ why: "gone." }) })).toBe(
      `There is no plimsoll:${first}: the stored text cannot be read.`,
    );
  });

  it("of a call are its result and its pictures, found by the end of its id", async () => {
    const calls = ["toolu_1abcdef", "toolu_2bcdef"].map(
      (callId): CallNote => ({ callId, request: 1, tool: "Read", subject: "", characters: 0, outcome: "done" }),
    );
    const called = createCalled(
      () => calls,
      (callId) => [callId, png],
    );
    expect(called.handles()).toEqual(["call:abcdef", "call:2bcdef"]);
    const given = await recall({ handle: "call:abcdef" }, { ...port, ...called });
    expect(given).toMatchObject({
      blocks: ["[call:abcdef: 13 characters]\ntoolu_1abcdef\n[end]\n[call:abcdef: image/png, 9 bytes]", {}],
    });
    expect(await ask("call:bcdef", called)).toContain('Nothing is kept under "call:bcdef"');
  });

  it("are told apart by as many digits as it takes, each group by itself", () => {
    const hashes = [`plimsoll:${ONE}`, `${ONE.slice(0, 14)}b`, `${ONE.slice(0, 14)}c`, OTHER, OTHER];
    expect(nameApart(hashes)).toEqual([
      `plimsoll:${ONE.slice(0, 15)}`,
      `plimsoll:${ONE.slice(0, 14)}b`,
      `plimsoll:${ONE.slice(0, 14)}c`,
      `plimsoll:${OTHER.slice(0, 12)}`,
    ]);
  });
});
