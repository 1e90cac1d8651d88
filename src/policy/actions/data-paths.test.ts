/** If red: files of one session are written over those of another, or outside the data folder. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import { locateData, locateSession, SESSION_FILES } from "./data-paths.ts";

describe("the places of live sessions", () => {
  it("lie below the client's own configuration folder", () => {
    expect(locateData("/home/dev/.claude")).toBe("/home/dev/.claude/data/plimsoll");
    expect(locateSession("/home/dev/.claude", "5e5510a0-0000-4000-8000-000000000001")).toBe(
      "/home/dev/.claude/data/plimsoll/sessions/5e5510a0-0000-4000-8000-000000000001",
    );
  });

  it.each(["", ".", "..", "../x", "a/b", "a\\b", "a b", "-rf", "a\n", "a\0", "ä", "a.b", "~", "a".repeat(101)])(
    "are not made of the id %j",
    (id) => {
      expect(locateSession("/c", id)).toBeUndefined();
    },
  );

  it("stay below the folder of sessions whatever the id", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (id) => {
        const place = locateSession("/c", id);
        if (place !== undefined)
          expect(place).toBe(`/c/data/plimsoll/sessions/${id.replaceAll(/[^0-9A-Za-z-]/g, "?")}`);
      }),
      { numRuns: tries(40, 1000) },
    );
  });

  it("are files of different names", () => {
    const names = Object.values(SESSION_FILES);
    expect(new Set(names).size).toBe(names.length);
  });
});
