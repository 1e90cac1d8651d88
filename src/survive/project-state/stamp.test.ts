/** If red: an entry is shown with a wrong date or age. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStamp, renderAge, renderIso, renderStamp } from "./stamp.ts";

const NOW = Date.UTC(2026, 2, 10, 12, 0);

describe("stamps", () => {
  it("[R119] are written as YYYY-MM-DD HH:MM in UTC", () => {
    expect(renderStamp(Date.UTC(2026, 0, 2, 3, 4, 59))).toBe("2026-01-02 03:04");
  });

  it("agree with the platform's own calendar at every instant", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (atMs) => {
        expect(renderIso(atMs)).toBe(new Date(atMs).toISOString());
        expect(parseStamp(renderIso(atMs))).toBe(atMs);
        expect(parseStamp(renderStamp(atMs))).toBe(Math.floor(atMs / 60_000) * 60_000);
      }),
    );
  });

  it.each(["2026-02-30 10:00", "2026-13-01", "2026-01-02 24:00", "2026-01-02 10:60", "yesterday", "", "0000-00-00"])(
    "are not %j",
    (text) => {
      expect(parseStamp(text)).toBeUndefined();
    },
  );

  it("take a bare day for its midnight", () => {
    expect(parseStamp("2024-02-29")).toBe(Date.UTC(2024, 1, 29));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -5])("never throw for %s", (atMs) => {
    expect(parseStamp(renderStamp(atMs))).toBeDefined();
  });
});

describe("age", () => {
  it.each([
    [Date.UTC(2026, 2, 10, 11, 0), "historical, today"],
    [Date.UTC(2026, 2, 9, 11, 0), "historical, 1 day ago"],
    [Date.UTC(2026, 1, 10, 12, 0), "historical, 28 days ago"],
    [Date.UTC(2026, 2, 11, 12, 0), "historical, dated in the future"],
    [undefined, "historical, undated"],
  ])("[R112] of %s reads %j", (atMs, expected) => {
    expect(renderAge(atMs, NOW)).toBe(expected);
  });
});
