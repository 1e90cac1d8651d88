/** If red: amounts of dollars are written with wrong digits. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderLowerUsd, renderUsd } from "./render-usd.ts";

describe("dollars", () => {
  it("are written to the cent, small ones to four digits, thousands apart", () => {
    expect([0, 0.0042, 0.1, 12.345, 1146.784, 1_234_567.5, -3.2].map(renderUsd)).toEqual([
      "$0.00",
      "$0.0042",
      "$0.10",
      "$12.35",
      "$1,146.78",
      "$1,234,567.50",
      "-$3.20",
    ]);
    expect(renderLowerUsd(9.62, true)).toBe("at least $9.62");
  });

  it("are the digits that the language itself writes for American readers", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 1e9, noNaN: true }), (usd) => {
        const expected = usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
        expect(renderUsd(usd)).toBe(`$${expected}`);
      }),
    );
  });
});
