/** If red: a part of a collapsed exchange comes back with other bytes or under another number. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryUnits } from "../../../test/support/arbitrary-session.ts";
import { tries } from "../../../test/support/depth.ts";
import { parseSections, renderSections } from "./sections.ts";

const arbitraryName = fc.oneof(
  fc.constantFrom("1", "1i", "10", "2", "thoughts", "__proto__", "constructor", "toString", ""),
  arbitraryUnits(4),
);
const arbitrarySections = fc.uniqueArray(fc.tuple(arbitraryName, arbitraryUnits(30)), { selector: ([name]) => name });

describe("sections under one handle", () => {
  test("come back byte for byte by their names, half surrogates and all", () => {
    fc.assert(
      fc.property(arbitrarySections, (sections) => {
        const parsed = parseSections(renderSections(sections));
        expect(new Map(parsed)).toEqual(new Map(sections));
      }),
      { numRuns: tries(40, 1_000) },
    );
  });

  test("the same sections give the same text, in whatever order numbers come", () => {
    const one = ["1", "a"] as const;
    const ten = ["10", "b"] as const;
    const two = ["2", "c"] as const;
    expect(renderSections([one, ten, two])).toBe(renderSections([two, one, ten]));
    expect(renderSections([["1i", "{}"], one])).toBe('plimsoll sections 1\n{"1":"a","1i":"{}"}');
  });

  test("a name that objects know of themselves is a name like any other", () => {
    const text = renderSections([["__proto__", "mine"]]);
    expect(text).toContain("mine");
    expect(parseSections(text)?.get("__proto__")).toBe("mine");
    expect(parseSections(text)?.get("constructor")).toBeUndefined();
  });

  test("a lone surrogate is escaped, so that storing as UTF-8 keeps it", () => {
    const text = renderSections([["1", "a\ud800b\udc00"]]);
    expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
    expect(parseSections(text)?.get("1")).toBe("a\ud800b\udc00");
  });

  test.each([
    "",
    '{"1":"a"}',
    "plimsoll sections 1",
    "plimsoll sections 1\n",
    'plimsoll sections 1\n{"1":"a"',
    "plimsoll sections 1\nnull",
    'plimsoll sections 1\n["a"]',
    'plimsoll sections 1\n"a"',
    'plimsoll sections 2\n{"1":"a"}',
    ' plimsoll sections 1\n{"1":"a"}',
  ])("a text of another kind is none: %j", (text) => {
    expect(parseSections(text)).toBeUndefined();
  });

  test("what is no text in it is left out", () => {
    expect(new Map(parseSections('plimsoll sections 1\n{"1":"a","2":3,"3":null}'))).toEqual(new Map([["1", "a"]]));
  });
});
