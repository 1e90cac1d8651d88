import { describe, expect, it } from "vitest";
import { isBaseWorthAnHour } from "./base-life.ts";

describe("the life of system prompt and tools", () => {
  it("is an hour where the account writes for an hour anyway", () => {
    expect(isBaseWorthAnHour({ isHourWritten: true, outlived: 0 })).toBe(true);
  });

  it("is an hour elsewhere once two pauses have outlived it, and not before", () => {
    expect([0, 1, 2, 3].map((outlived) => isBaseWorthAnHour({ isHourWritten: false, outlived }))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
