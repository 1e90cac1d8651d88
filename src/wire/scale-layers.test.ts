/** If red: layers keep too much below a low line, or ignore what the caller set. */
import { describe, expect, it } from "vitest";
import { scaleLayers } from "./run-layers.ts";

describe("scaling the layers to a line", () => {
  it("keeps less below a lower line, and no more than the defaults above a high one", () => {
    expect(scaleLayers(6_000).collapseExchanges).toEqual({
      eager: false,
      leastTokens: 600,
      maxTailTokens: 2_000,
      maxLedgerTokens: 3_000,
    });
    expect(scaleLayers(1_000_000).collapseExchanges).toEqual({
      eager: false,
      leastTokens: 5_000,
      maxTailTokens: 40_000,
    });
  });

  it("leaves what the caller sets", () => {
    const collapseExchanges = { eager: true, maxTailTokens: 7, keepExchanges: 9 };
    expect(scaleLayers(6_000, { collapseExchanges }).collapseExchanges).toEqual({
      leastTokens: 600,
      maxLedgerTokens: 3_000,
      ...collapseExchanges,
    });
  });
});
