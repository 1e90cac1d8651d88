/** If red: a terminal without UTF-8 or colour gets signs that it cannot show. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryUnits } from "../../../../test/support/arbitrary-session.ts";
import { decideColour, decideUnicode, toAscii } from "./terminal.ts";

describe("colour", () => {
  it.each([
    ["on a terminal", {}, true, true],
    ["into a pipe", {}, false, false],
    ["on a terminal that cannot", { TERM: "dumb" }, true, false],
    ["where NO_COLOR is set", { NO_COLOR: "1" }, true, false],
    ["where NO_COLOR is set, whatever else is", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    ["where NO_COLOR is empty", { NO_COLOR: "" }, true, true],
    ["into a pipe that asks for it", { FORCE_COLOR: "1" }, false, true],
    ["where it is forced off", { FORCE_COLOR: "0" }, true, false],
    ["into a pipe, forced off", { FORCE_COLOR: "0" }, false, false],
  ])("%s, with %j and a terminal %s, is decided %s", (_where, environment, isTerminal, isColoured) => {
    expect(decideColour(environment, isTerminal)).toBe(isColoured);
  });
});

describe("characters beyond ASCII", () => {
  it.each([
    [{ LANG: "C" }, false],
    [{ LANG: "POSIX" }, false],
    [{ LC_ALL: "C", LANG: "en_GB.UTF-8" }, false],
    [{ LC_CTYPE: "C", LANG: "en_GB.UTF-8" }, false],
    [{ LC_ALL: "en_GB.UTF-8", LANG: "C" }, true],
    [{ LANG: "C.UTF-8" }, true],
    [{ LANG: "de_DE.utf8" }, true],
    [{ LANG: "C.ISO-8859-1" }, false],
    [{ LC_ALL: "", LANG: "C" }, false],
    [{}, true],
  ])("with %j are shown: %s", (environment, isShown) => {
    expect(decideUnicode(environment)).toBe(isShown);
  });

  it("have a likeness in ASCII where this program uses them", () => {
    expect(toAscii("█░┃ 5 · ≈ 3 … → ×")).toBe("#.| 5 - ~ 3 ... -> x");
  });

  it("are one question mark each otherwise", () => {
    expect(toAscii("日本 😀")).toBe("?? ?");
  });

  it("are gone from whatever text, and ASCII is left as it is", () => {
    fc.assert(
      fc.property(arbitraryUnits(40), fc.string(), (any, ascii) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is what must be gone
        expect(toAscii(any)).toMatch(/^[\u0000-\u007f]*$/);
        expect(toAscii(ascii)).toBe(ascii);
      }),
    );
  });
});
