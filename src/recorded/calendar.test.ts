/** If red: costs fall into the wrong day, week or month. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCalendar } from "./calendar.ts";

const ZONES = ["UTC", "Europe/Zurich", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "America/Santiago"];

describe("a calendar", () => {
  it("names the day, week and month of its own zone", () => {
    const lateMs = Date.UTC(2026, 9, 31, 23, 30);
    const zurich = createCalendar({}, "Europe/Zurich");
    expect([
      zurich.nameDay(lateMs),
      zurich.nameWeek(lateMs),
      zurich.nameMonth(lateMs),
      zurich.nameTime(lateMs),
    ]).toEqual(["2026-11-01", "2026-10-26", "2026-11", "00:30"]);
    expect(createCalendar({ TZ: "UTC" }).nameDay(lateMs)).toBe("2026-10-31");
  });

  it("begins each day where the one before ends, in summer and winter", () => {
    const moment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), moment, (zone, atMs) => {
        const calendar = createCalendar({}, zone);
        const day = calendar.nameDay(atMs);
        const fromMs = calendar.startOfDay(day) ?? Number.NaN;
        expect([calendar.nameDay(fromMs), calendar.nameDay(fromMs - 1) < day]).toEqual([day, true]);
        for (const unit of ["day", "week", "month"] as const) {
          const span = calendar.spanOf(unit, atMs);
          expect(span.fromMs <= atMs && atMs < span.untilMs).toBe(true);
          expect(calendar.spanOf(unit, span.untilMs).fromMs).toBe(span.untilMs);
        }
      }),
    );
  });

  it("begins a day whose midnight the clocks leave out with the hour after it", () => {
    // In Havana the clocks went from 24:00 on the 7th of March 2026 to 1:00 on the 8th.
    const calendar = createCalendar({}, "America/Havana");
    expect(calendar.startOfDay("2026-03-08")).toBe(Date.UTC(2026, 2, 8, 5));
    expect(calendar.startOfDay("2026-03-07")).toBe(Date.UTC(2026, 2, 7, 5));
  });

  it("knows no day that is in no month, and no zone that does not exist", () => {
    expect(createCalendar({}, "UTC").startOfDay("2026-11-31")).toBeUndefined();
    expect(() => createCalendar({}, "Europe/Atlantis")).toThrow(RangeError);
    expect(createCalendar({ TZ: "Europe/Atlantis" }).zone).toBe("local");
  });
});
