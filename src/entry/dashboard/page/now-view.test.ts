/** If red: the load ring on the page is full before the client compacts, or after. */
import { describe, expect, it } from "vitest";
import { findDrawn } from "../../../../test/support/find-drawn.ts";
import { assessHealth, type Health } from "../../../measure/health.ts";
import { emptyMeter } from "../../../measure/meter.ts";
import { Hull } from "./now-view.tsx";

const HEALTH: Health = { ...assessHealth(emptyMeter), usedTokens: 554_000, windowTokens: 1_000_000 };

describe("the hull", () => {
  it.each([1, 0.99, 0.5, 0.1])("shows the whole ring where the client compacts at %d of the window", (share) => {
    const drawn = Hull({ health: { ...HEALTH, compactionPointTokens: share * HEALTH.windowTokens } });
    const [ring] = findDrawn(drawn, "circle");
    const [picture] = findDrawn(drawn, "svg");
    const [, , , height] = String(picture?.viewBox).split(" ").map(Number);
    const [middle, radius] = [Number(ring?.cy), Number(ring?.r)];
    expect(middle - radius).toBeGreaterThanOrEqual(2);
    expect(middle + radius).toBeLessThanOrEqual((height ?? 0) - 2);
  });
});
