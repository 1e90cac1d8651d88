/** If red: a person's wish for shorter or normal answers is not heard. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { detectDensityRequest } from "./step-density.ts";

describe("a person's words about density", () => {
  it.each([
    "caveman",
    "/caveman",
    "be brief",
    "less tokens",
    "caveman mode",
    "Caveman mode please, then fix the bug",
    "Please BE BRIEF.",
    "use less tokens from now on",
    "talk like a caveman!",
    "/caveman fix the login test",
    "fix this TypeError: x is undefined, and be brief",
    "be\nbrief",
    "I said `stop caveman` before, but now: caveman mode",
    "stop caveman. no, wait: caveman mode",
  ])("[R90] switch it on with %j", (prompt) => {
    expect(detectDensityRequest(prompt)).toBe("caveman");
  });

  it.each([
    "stop caveman",
    "normal mode",
    "Stop caveman mode, I cannot follow",
    "back to normal mode, please",
    "no caveman",
    "/caveman off",
    "don't be brief here",
    "do not be so brief",
    "caveman mode? no: stop caveman",
  ])("[R90] switch it off with %j", (prompt) => {
    expect(detectDensityRequest(prompt)).toBe("normal");
  });

  it.each([
    "",
    "fix the login test",
    "open `caveman.ts` and rename the export",
    "open caveman.ts and rename the export",
    "look at src/caveman/index.ts",
    "the function caveman() throws",
    "why is the caveman test red?",
    "rename `be brief` to something else",
    'the button says "less tokens", translate it',
    "```\ncaveman mode\n```\nwhat does this print?",
    "~~~\nstop caveman\n~~~",
    "```sh\n/caveman",
    "    be brief\nis what the file holds",
    "the brief is attached",
    "a maybe-brief summary",
    "tokenless tokens",
    "cavemanlike",
    "abnormal mode",
  ])("[R90] leave it as it is with %j", (prompt) => {
    expect(detectDensityRequest(prompt)).toBeUndefined();
  });

  it("[R90] never throw and never ask for anything from inside a fence", () => {
    const anyPhrase = fc.constantFrom("caveman", "/caveman", "be brief", "stop caveman", "normal mode", "x", " ");
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(anyPhrase).map((words) => words.join(" ")),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect([undefined, "caveman", "normal"]).toContain(detectDensityRequest(text));
        expect(detectDensityRequest(`\`\`\`\`\`\`\`\n${text.replaceAll("`", "")}\n\`\`\`\`\`\`\``)).toBeUndefined();
      }),
    );
  });

  it("answer for a long text of near misses in time that grows with its length alone", () => {
    for (const piece of ["be ", "stop ", "caveman. ts ", "`", "'", "don't be ", " \t\n"])
      expectProportional(300_000, (length) => detectDensityRequest(piece.repeat(length / piece.length)), {
        what: piece,
      });
  });
});
