/** If red: a grader can see whose memory is judged, and the published reading test is not blind. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { assignLetters } from "./blind-letters.ts";

describe("letters", () => {
  it("are another order in another session", () => {
    const orders = ["one", "two", "three", "four"].map((session) =>
      Object.keys(assignLetters(session, {}, ["client", "plimsoll", "cautious"])).join(""),
    );
    expect(new Set(orders).size).toBe(4);
  });

  it("never change when another memory joins, and name each memory once", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.string(), names, fc.nat(), (session, all, cut) => {
        const first = assignLetters(session, {}, all.slice(0, cut % all.length));
        const key = assignLetters(session, first, all);
        expect(key).toMatchObject(first);
        expect(Object.values(key).sort()).toEqual([...all].sort());
        // The order in which they were made decides, not whether they were made at once.
        expect(assignLetters(session, {}, all)).toEqual(key);
      }),
      { numRuns: tries(40, 1000) },
    );
  });

  it("are refused to a twenty-seventh memory", () => {
    const names = Array.from({ length: 27 }, (_, index) => `memory${index}`);
    expect(() => assignLetters("session", {}, names)).toThrow("at most 26");
  });
});
