/** If red: a streamed reply is cut in the middle of code, or loses characters. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { createSentenceBuffer, type SentenceBufferOptions } from "./sentence-buffer.ts";

/** The pieces of a text fed in these chunks, the flushed one among them. */
function cut(
  chunks: readonly string[],
  options: SentenceBufferOptions = { shortReplyCharacters: 0 },
): readonly string[] {
  const buffer = createSentenceBuffer(options);
  return [...chunks.flatMap((chunk) => buffer.feed(chunk)), ...buffer.flush()];
}

const FORTY = "Forty characters are exactly in this one";
const REPLY = [
  "I looked at the parser first, e.g. at version 2.1.219 of it, and the bug is there. It costs 3.14 ms!",
  'He said "this cannot be true in any of the cases." Then https://example.com/a.b?c=d;e:f was opened: nothing.',
  "",
  "1. First, rename `parse. it` everywhere in the code base, please; then run it.",
  "2. Dr. Smith (U.S. office) agrees with all of this, so go on; nothing else is open.",
  "```ts",
  "const a = 1; // This is a sentence that is longer than forty characters. And one more.",
  "",
  "",
  "const b = 2;",
  "```",
  "After the fence there is text again, long enough to be cut here. 以上です。これは四十文字を超える長い文章なので、ここで切れるはずですがどうでしょうか、皆さん。次の文。",
  "A title that stands alone",
  "",
  "The end",
].join("\n");

describe("the sentence buffer", () => {
  it("[R53] gives a reply sentence by sentence", () => {
    expect(cut([REPLY])).toMatchInlineSnapshot(`
      [
        "I looked at the parser first, e.g. at version 2.1.219 of it, and the bug is there.",
        " It costs 3.14 ms!
      He said "this cannot be true in any of the cases."",
        " Then https://example.com/a.b?c=d;e:f was opened:",
        " nothing.

      1. First, rename \`parse. it\` everywhere in the code base, please;",
        " then run it.
      2. Dr. Smith (U.S. office) agrees with all of this, so go on;",
        " nothing else is open.
      \`\`\`ts
      const a = 1; // This is a sentence that is longer than forty characters. And one more.


      const b = 2;
      \`\`\`
      After the fence there is text again, long enough to be cut here.",
        " 以上です。これは四十文字を超える長い文章なので、ここで切れるはずですがどうでしょうか、皆さん。",
        "次の文。
      A title that stands alone",
        "

      The end",
      ]
    `);
  });

  it("[R49] gives the same sentences wherever the text is parted in two, and character by character", () => {
    const whole = cut([REPLY]);
    for (let at = 0; at <= REPLY.length; at++) expect(cut([REPLY.slice(0, at), REPLY.slice(at)])).toEqual(whole);
    expect(cut(REPLY.split(""))).toEqual(whole);
  });

  it.each([
    [`${FORTY.slice(0, 38)}. x`, 1],
    [`${FORTY.slice(0, 39)}. x`, 2],
  ])("[R50] cuts a sentence of 40 characters, and none of 39: %j", (text, pieces) => {
    expect(cut([text])).toHaveLength(pieces);
  });

  it.each([".", "!", "?", ";", ":"])("[R50] ends a sentence at %s", (sign) => {
    expect(cut([`${FORTY}${sign} And on`])).toEqual([`${FORTY}${sign}`, " And on"]);
  });

  it.each([
    ["fourteen chars\n\nx", ["fourteen chars\n\nx"]],
    ["fifteen charact\n\nx", ["fifteen charact", "\n\nx"]],
    ["fifteen charact\r\n \t\r\nx", ["fifteen charact", "\r\n \t\r\nx"]],
    ["fifteen charact\nx", ["fifteen charact\nx"]],
  ])("[R51] cuts at a blank line after 15 characters, not after 14: %j", (text, pieces) => {
    expect(cut([text])).toEqual(pieces);
  });

  it.each([
    "a word.with.dots",
    "https://example.com/a.b?c=d;e:f#g",
    "the number 3.14159",
    "version 10.2.1-rc.1",
    "that is e.g. this",
    "that is (i.e. this)",
    "that is J. Doe",
    "the time 12:30:59",
    "std::vector",
    "`code; with. ends: in it`",
    "\n1. an item",
    "\n  ## 2. a title",
    "\n```\ncode. code; code: code\n\ncode",
    "\n~~~~\ncode.\n~~~\ncode. code\n\n```\ncode",
    "\n- ```js\n  code. code; code: code",
  ])("[R52] does not cut inside %j", (part) => {
    const text = `${FORTY} and ${part}`;
    expect(cut([text])).toEqual([text]);
  });

  it("[R52] goes on after a fence, also after one of many backticks and after code within a line", () => {
    const fenced = "````md\n```js\na. b\n```\n\n````";
    expect(cut([`${fenced}\nforty characters stand after the closing fence. x`])).toHaveLength(2);
    expect(cut([`\`\`\`one line\`\`\` and then forty characters more of it. x`])).toHaveLength(2);
  });

  it("[R49, R52, R53] keeps every character in its place and cuts before blanks only, whatever comes in whatever chunks", () => {
    const pieces = fc.constantFrom(
      ...'a|word |. |.|! |? |; |: |\n|\n\n|```\n|```|~~~\n|`|e.g. |1. |3.14|https://a.b/c.d |"|)|。|」|é|😀|\r\n|\t'.split(
        "|",
      ),
      `${FORTY}. `,
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.array(fc.nat(40), { maxLength: 20 }), (parts, lengths) => {
        const text = parts.join("");
        const sentences = cut([text]);
        expect(sentences.join("")).toBe(text);
        for (const [index, sentence] of sentences.entries())
          if (index > 0) expect(/^\s/.test(sentence) || /[。」"')]$/.test(sentences[index - 1] ?? "")).toBe(true);
        expect(cut(chunk(text, lengths))).toEqual(sentences);
      }),
      { numRuns: tries(40, 1000) },
    );
  });

  it("[R52] leaves every fenced block whole, whatever is in it and around it", () => {
    const code = fc.array(fc.constantFrom("a. b", "", "x; y: z!", `${FORTY}.`, "  ``", "~~~"), { maxLength: 8 });
    const block = code.map((lines) => ["```ts", ...lines, "```"].join("\n"));
    const prose = fc.array(fc.constantFrom(`${FORTY}. `, "e.g. ", "word ", "`a. b` ", "\n\n"), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, block), { minLength: 1, maxLength: 5 }), (parts) => {
        const pieces = cut(parts.map(([words, fenced]) => `${words.join("")}\n${fenced}\n`));
        for (const [, fenced] of parts) expect(pieces.some((piece) => piece.includes(fenced))).toBe(true);
      }),
      { numRuns: tries(40, 500) },
    );
  });

  it("[R54] gives a reply below 100 characters whole, and cuts one of 100 from its first sentence on", () => {
    const text = `${FORTY}. ${"x".repeat(58)}`;
    expect(text).toHaveLength(100);
    expect(cut([text.slice(0, 99)], {})).toEqual([text.slice(0, 99)]);
    const buffer = createSentenceBuffer();
    expect(buffer.feed(text.slice(0, 99))).toEqual([]);
    expect(buffer.feed("x")).toEqual([`${FORTY}.`]);
  });

  it("[R54] never cuts code", () => {
    expect(cut([REPLY], { mode: "code" })).toEqual([REPLY]);
  });

  it("[R54] waits for the closing brace of JSON", () => {
    const text = '{"a": "}. {\\"", "b": [1, {"c": 2}]}\n[1, 2]\n{"open": 1';
    const whole = ['{"a": "}. {\\"", "b": [1, {"c": 2}]}', "\n[1, 2]", '\n{"open": 1'];
    for (let at = 0; at <= text.length; at++)
      expect(cut([text.slice(0, at), text.slice(at)], { mode: "json" })).toEqual(whole);
  });

  it("begins anew after a flush", () => {
    const buffer = createSentenceBuffer({ shortReplyCharacters: 0 });
    buffer.feed("```\nan open fence");
    expect(buffer.flush()).toEqual(["```\nan open fence"]);
    expect(buffer.feed(`${FORTY}. x`)).toEqual([`${FORTY}.`]);
    expect([buffer.flush(), buffer.flush()]).toEqual([[" x"], []]);
  });

  it("takes time in proportion to the text, cut or not", () => {
    expectProportional(100_000, (count) => {
      const open = createSentenceBuffer();
      const text = `\`\`\`\n${"a. b; c: ".repeat(count)}`;
      for (let at = 0; at < text.length; at += 3) open.feed(text.slice(at, at + 3));
      expect(open.flush()).toEqual([text]);
    });
  });

  it("refuses options that mean nothing, with the way out", () => {
    // @ts-expect-error no such mode
    expect(() => createSentenceBuffer({ mode: "xml" })).toThrow(
      new TypeError('mode takes prose, json, code, not "xml": leave it out for prose'),
    );
    expect(() => createSentenceBuffer({ shortReplyCharacters: Number.NaN })).toThrow(TypeError);
  });
});

function chunk(text: string, lengths: readonly number[]): readonly string[] {
  const chunks: string[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(text.slice(at, at + length));
    at += length;
  }
  return [...chunks, text.slice(at)];
}
