/** If red: plimsoll terse changes code, numbers or a negation in the text that it shortens. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../../../test/support/expect-proportional.ts";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { splitVerbatim } from "../../../../policy/density/classify-exception.ts";
import { compressProse } from "./terse.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../../../../dist/plimsoll.cjs");
const CODE = [
  "```ts",
  "// It is basically just really a very simple thing, of course.",
  "const rate = 0.25;\t// please note that",
  "  run('./src/hull.ts', \"v1.2.3\");\r",
  "```",
].join("\n");
const TEXT = `Of course! I would be happy to help. It is basically just a very small leak in \`src/hull.ts:12\`.\n\n${CODE}\n\nError: ENOENT: no such file, open '/hold/plank 7.txt'\n`;

/** The program itself, fed from a pipe. */
function pipe(input: string | Uint8Array, ...more: readonly string[]) {
  const { stdout, status } = spawnSync(process.execPath, [PROGRAM, "terse", "-", ...more], { input });
  return { text: stdout.toString("utf8"), status };
}

describe("plimsoll terse", () => {
  it("[R96] takes a text from a pipe, drops its filler, and leaves code, errors, paths and numbers byte for byte", () => {
    const { text, status } = pipe(TEXT);
    expect(status).toBe(0);
    expect(text.length).toBeLessThan(TEXT.length);
    for (const filler of ["Of course!", "just a very"]) expect(text).not.toContain(filler);
    expect(text).toContain(CODE);
    expect(text).toContain("`src/hull.ts:12`");
    expect(text).toContain("Error: ENOENT: no such file, open '/hold/plank 7.txt'\n");
  });

  it("[R96] adds nothing of its own: what is code alone comes out as it went in", () => {
    for (const code of [CODE, `${CODE}\n`, `\n\n${CODE}\n\n\n`]) expect(pipe(code).text).toBe(code);
  });

  it("tells both lengths to a script", () => {
    const { text } = pipe(TEXT, "--json");
    const printed = JSON.parse(text);
    expect(printed).toEqual({
      charactersBefore: TEXT.length,
      charactersAfter: printed.text.length,
      text: pipe(TEXT).text,
    });
  });

  it.each([
    [[], "needs a file"],
    [["a", "b"], "unexpected argument"],
  ])("refuses %j", async (words, hint) => {
    const { exitCode, remarks } = await runPlimsoll(["terse", ...words]);
    expect({ exitCode, isHinted: remarks.includes(hint) }).toEqual({ exitCode: 2, isHinted: true });
  });
});

describe("compressing prose", () => {
  it.each([
    ["The cache is cold.", "cache is cold."],
    ["It is basically a race between the two.", "It is race between two."],
    ["Sure, I'd be happy to help with that! The test fails.", "test fails."],
    ["Please note that the port is 8080.", "port is 8080."],
    ["Furthermore, an index is missing.", "index is missing."],
    ["- The first\n- A second", "- first\n- A second"],
    ["Hope this helps!", ""],
    ["Change just the tests.", "Change just tests."],
    ["One.\nThanks!\nTwo.\n", "One.\nTwo.\n"],
  ])("[R98] turns %j into %j", (text, expected) => {
    expect(compressProse(text)).toBe(expected);
  });

  it.each([
    "Probably cold, not verified; it might be a 5.",
    "It is not very fast, and it isn't really done.",
    "set a to 5, then a is undefined",
    "A plus B",
    "However, it failed.",
    "a few tests fail, and a little time is left",
    "nothing really works",
  ])("[R98] keeps real uncertainty, negations and names: %j", (text) => {
    expect(compressProse(text)).toBe(text);
  });

  it.each([
    "`the a really`",
    "```ts\n// the very first\nconst a = the;\n```\n",
    "~~~\nthe\n~~~\n",
    "````md\n```\nthe word\n```\nthe word\n````\n",
    "```\n~~~\nthe word\n```ts\nthe word\n```\n",
    "    const the = a;\n",
    "| the | a |\n",
    "> the words of the person\n",
    "TypeError: the value is really a string\n",
    "error: failed to push the refs\n",
    '"the file was not found"',
    "fatal: the remote end hung up\n",
    "    at the (src/a.ts:1:2)\n",
    "```\nthe fence never closes\nthe",
  ])("[R96] leaves %j byte for byte", (text) => {
    expect(compressProse(text)).toBe(text);
  });

  it("[R96] keeps paths, identifiers, numbers, units and versions in a real answer", () => {
    const answer =
      "The handler in src/http/the-router.ts really takes 12.5 ms on Node v20.19.0; the retry_count is 3, see the `a` in fooBar().";
    expect(compressProse(answer)).toBe(
      "handler in src/http/the-router.ts takes 12.5 ms on Node v20.19.0; retry_count is 3, see `a` in fooBar().",
    );
  });

  it("[R88] makes a chatty answer shorter without losing a word that is not on its lists", () => {
    const chatty =
      "Great question! The problem is actually quite simple. The session is basically created before the lock is taken. Let me know if you have any questions.";
    const terse = compressProse(chatty);
    expect(terse).toBe("problem is simple. session is created before lock is taken.");
    expect(terse.length / chatty.length).toBeLessThan(0.5);
  });
});

const anyProse = fc
  .array(
    fc.constantFrom("the", "a", "an", "really", "Sure,", "not", "very", "cache", "is", "cold.", "5", "ms", "x_y", "A"),
  )
  .map((words) => words.join(" "));
const anyCode = fc.string({ unit: "grapheme-ascii" }).map((text) => text.replaceAll("`", "").replaceAll("\n", " "));
const anyPiece = fc.oneof(
  anyProse,
  anyCode.map((code) => `\`${code}\``),
  anyCode.map((code) => `\n\`\`\`\n${code} the\n\`\`\`\n`),
  fc.string({ unit: "binary" }),
);
const anyText = fc.array(anyPiece, { maxLength: 8 }).map((pieces) => pieces.join(" "));

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const word of whole) if (word === part[at]) at++;
  return at === part.length;
}

describe("whatever the text", () => {
  it("[R96] every verbatim segment is still there, in order and byte for byte", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const compressed = compressProse(text);
        let from = 0;
        for (const span of splitVerbatim(text, { withErrorLines: true }).filter(({ isVerbatim }) => isVerbatim)) {
          const at = compressed.indexOf(span.text, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + span.text.length;
        }
      }),
    );
  });

  it("[R96] words only go: nothing is added, moved or rewritten", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const compressed = compressProse(text);
        expect(isSubsequence(compressed.split(/\s+/), ["", ...text.split(/\s+/), ""])).toBe(true);
        expect(compressed.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it("[R96] everything with a digit, a slash, an underscore or inner capitals stays, as often as it was there", () => {
    const pick = (text: string): readonly string[] => text.split(/\s+/).filter((word) => /[\d/\\_]|\w[A-Z]/.test(word));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(pick(compressProse(text))).toEqual(pick(text));
      }),
    );
  });

  it("the segments joined give the text back", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const spans = splitVerbatim(text, { withErrorLines: true });
        expect(spans.map((span) => span.text).join("")).toBe(text);
      }),
    );
  });

  it("a long text takes no longer than its length", () => {
    for (const piece of ["the ", "'", '"', "`", "``", "Error ", "sure, ", "E", " "])
      expectProportional(300_000, (length) => compressProse(piece.repeat(length / piece.length)), { what: piece });
  });
});
