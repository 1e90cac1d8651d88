/** If red: a request is cut in the middle of a string and cannot be parsed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../../test/support/depth.ts";
import { parseSpan, scanList } from "./json-spans.ts";

/** Quotes and backslashes in any order, around the length from which on the engine searches. */
const awkward = fc
  .array(fc.constantFrom('"', "\\", "a", "é", "\n", "x".repeat(28)), { maxLength: 24 })
  .map((parts) => parts.join(""));

describe("a list's strings", () => {
  it("end where JSON ends them, whatever is escaped in them", () => {
    fc.assert(
      fc.property(fc.array(awkward, { minLength: 1, maxLength: 6 }), (texts) => {
        const bytes = Buffer.from(JSON.stringify(texts));
        const found = scanList(bytes, 0);
        expect(found?.end).toBe(bytes.length);
        expect(found?.elements.map((span) => parseSpan(bytes, span))).toEqual(texts);
      }),
      { numRuns: tries(300, 5_000) },
    );
  });

  it("are not taken for whole where they are cut", () => {
    fc.assert(
      fc.property(awkward, fc.nat(), (text, cut) => {
        const bytes = Buffer.from(JSON.stringify([text]));
        expect(scanList(bytes.subarray(0, cut % bytes.length), 0)).toBeUndefined();
      }),
      { numRuns: tries(300, 5_000) },
    );
  });
});
