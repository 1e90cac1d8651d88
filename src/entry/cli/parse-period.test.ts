/** If red: plimsoll stats counts another period than the person typed, or takes one that ends before it begins. */
import { describe, expect, it } from "vitest";
import { createCalendar } from "../../recorded/calendar.ts";
import { parsePeriod } from "./parse-period.ts";

const NOW = Date.UTC(2026, 10, 16, 12, 30);
const parse = (since?: string, until?: string) =>
  parsePeriod(
    {
      flags: new Set(),
      positionals: [],
      values: new Map([...(since ? [["since", since] as const] : []), ...(until ? [["until", until] as const] : [])]),
    },
    NOW,
    createCalendar({}, "UTC"),
  );
const day = (...date: readonly [number, number, number]): number => Date.UTC(date[0], date[1] - 1, date[2]);

describe("a period", () => {
  it.each([
    ["30d", undefined, day(2026, 10, 17), Number.POSITIVE_INFINITY],
    ["2w", undefined, day(2026, 11, 2), Number.POSITIVE_INFINITY],
    ["2w", "1d", day(2026, 11, 2), day(2026, 11, 16)],
    ["2026-10-05", "2026-10-05", day(2026, 10, 5), day(2026, 10, 6)],
    ["2026-02", "2026-02", day(2026, 2, 1), day(2026, 3, 1)],
    [undefined, "2025-12", Number.NEGATIVE_INFINITY, day(2026, 1, 1)],
  ])("from %s until %s ends with its last day", (since, until, fromMs, untilMs) => {
    expect(parse(since, until)).toEqual({ fromMs, untilMs });
  });

  it("is all time where none is given", () => {
    expect(parse()).toBeUndefined();
  });

  it.each(["yesterday", "2026-13", "2026-02-30", "2026-2-3", "30", "-1d"])("is not %s", (since) => {
    expect(() => parse(since)).toThrow(
      "--since takes a number of days or weeks such as 30d or 4w, a day such as 2026-11-01, or a month such as 2026-11",
    );
  });

  it("does not end before it begins", () => {
    expect(() => parse("2026-10-05", "2026-10-04")).toThrow("swap them");
  });
});
