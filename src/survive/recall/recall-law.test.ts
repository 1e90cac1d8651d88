/** If red: what comes back is not byte for byte what was stored. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { bodyOf, joinPages, parseRecalled } from "../../../test/support/recalled.ts";
import type { JsonObject } from "../../core/json.ts";
import { renderSections } from "../../layers/ledger/sections.ts";
import { answerRecall, type RecallAnswer } from "./answer-recall.ts";
import { type Picked, pickParts } from "./pick-parts.ts";
import { parsePicture } from "./picture.ts";
import { parseRecall } from "./recall-request.ts";

const HANDLE = "plimsoll:0123456789ab";

/** Everything as an entry point does it, from the model's words to what the model reads. */
function ask(stored: string, input: JsonObject, pageCharacters: number): RecallAnswer {
  const request = parseRecall(input);
  if ("problem" in request) throw new Error(request.problem);
  const picked: readonly Picked[] = request.wanted.map((wanted) => pickParts(wanted, stored));
  return answerRecall(request, picked, { known: [], pageCharacters });
}

/** What the model reads of all the pages, as the client hands it on: trimmed. */
function readAll(stored: string, handle: string, pageCharacters: number): readonly string[] {
  const pages: string[] = [];
  for (let page = 1; ; page++) {
    const answer = ask(stored, { handle, page }, pageCharacters);
    if (answer.isError) {
      expect(answer.words).toMatch(
        new RegExp(`^There is no page ${page}: there (?:is one page|are ${page - 1} pages)\\.$`),
      );
      return pages;
    }
    pages.push(answer.blocks.join("").trim());
  }
}

/** Any characters; blanks and line ends at every place; lines that look like ours, headings with numbers among them. */
const arbitraryText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("\n", "\r\n", "  ", "\t", "\n[end]", "\n[end]\n", "[end]", `[${HANDLE}: 5 characters]\n`),
      fc.constantFrom(
        `[${HANDLE}: characters 1 to 9 of 20]\n`,
        "[page 1 of 2; page 2 goes on]",
        "plimsoll sections 2\n",
      ),
      fc
        .record({ piece: fc.constantFrom("a", "\u{1f6a2}", "é\n", " \n"), times: fc.nat(3000) })
        .map(({ piece, times }) => piece.repeat(times)),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));
/** Without a half of a character. */
const isWellFormed = (text: string): boolean => Buffer.from(text).toString() === text;
const arbitraryPage = fc.integer({ min: 2000, max: 9000 });

describe("what was stored comes back byte for byte", () => {
  it("as one text, all pages joined, each within its size and none parting a character", () => {
    fc.assert(
      fc.property(arbitraryText, arbitraryPage, (text, pageCharacters) => {
        const pages = readAll(text, HANDLE, pageCharacters);
        expect(pages.map(bodyOf).join("")).toBe(text);
        for (const page of pages) {
          expect(page.length).toBeLessThanOrEqual(pageCharacters + 100);
          if (isWellFormed(text)) expect(isWellFormed(page)).toBe(true);
        }
      }),
      { numRuns: tries(40, 300) },
    );
  });

  it("as a line's call and result, alone and together, and as a range of lines", () => {
    fc.assert(
      fc.property(
        arbitraryText,
        arbitraryText,
        arbitraryText,
        arbitraryPage,
        (input, result, words, pageCharacters) => {
          const stored = renderSections([
            ["1i", input],
            ["1", result],
            ["2", words],
            ["thoughts", "none"],
          ]);
          const reported = (handle: string) => joinPages(readAll(stored, `${HANDLE}${handle}`, pageCharacters));
          expect(reported("#1i")).toBe(input);
          expect(reported("#1r")).toBe(result);
          expect(reported("#1")).toBe(input + result);
          expect(reported("#1-2")).toBe(input + result + words);
          expect(reported("#2 #1i")).toBe(words + input);
          const pages = readAll(stored, `${HANDLE}#1-2`, pageCharacters);
          for (const page of pages) expect(page.length).toBeLessThanOrEqual(pageCharacters + 100);
          const headings = pages.flatMap(parseRecalled);
          expect([...new Set(headings.map(({ heading }) => heading))]).toEqual([
            `${HANDLE}#1 call`,
            `${HANDLE}#1 result`,
            `${HANDLE}#2`,
          ]);
        },
      ),
      { numRuns: tries(20, 150) },
    );
  });

  it("as pictures in their places among texts, which are never taken for one", () => {
    const pictures = ["iVBORw0KGgoAAAAN", "/9j/4AAQ", "R0lGODlhAQAB", "UklGRiQAAABXRUJQ"].map(
      (data, index) => `data:image/${["png", "jpeg", "gif", "webp"][index]};base64,${data}`,
    );
    const arbitraryPart = fc.oneof(
      fc.constantFrom(...pictures),
      fc.constantFrom(...pictures).map((url) => `${url}\n`),
      fc.constantFrom(...pictures).map((url) => `see ${url}`),
      fc.string({ maxLength: 9 }),
    );
    fc.assert(
      fc.property(fc.array(arbitraryPart, { minLength: 1, maxLength: 9 }), (texts) => {
        const stored = renderSections(texts.map((text, index) => [String(index + 1), text]));
        const answer = ask(stored, { handle: `${HANDLE}#1-9` }, 100_000);
        if (answer.isError) throw new Error(answer.words);
        const reported = answer.blocks.flatMap((block) =>
          typeof block === "string"
            ? parseRecalled(block).map(({ body }) => body)
            : `data:${block.mediaType};base64,${block.data}`,
        );
        expect(reported).toEqual(texts);
        expect(answer.blocks.filter((block) => typeof block !== "string")).toHaveLength(
          texts.filter((text) => pictures.includes(text)).length,
        );
      }),
    );
  });
});

describe("a picture", () => {
  it.each([
    "data:image/png;base64,AAAA",
    "data:image/png;base64,iVBORw0KGgo",
    "data:image/png;base64,iVBORw0KGgo=!",
    "data:image/svg+xml;base64,iVBORw0KGgoA",
    "data:image/jpeg;base64,iVBORw0KGgoA",
    " data:image/gif;base64,R0lGODlh",
    `data:image/png;base64,iVBORw0KGgoA${"A".repeat(6_000_000)}`,
  ])("is not what only says so: %.40s", (text) => {
    expect(parsePicture(text)).toBeUndefined();
  });

  it("tells the size of its bytes", () => {
    for (const bytes of [11, 12, 13]) {
      const data = Buffer.concat([Buffer.from("iVBORw0KGgo=", "base64"), Buffer.alloc(bytes - 8)]).toString("base64");
      expect(parsePicture(`data:image/png;base64,${data}`)?.bytes).toBe(bytes);
    }
  });
});
