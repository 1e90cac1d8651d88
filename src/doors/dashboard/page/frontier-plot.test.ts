import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFrontier } from "./frontier-plot.tsx";

const point = fc.record({ policy: fc.string(), netUsd: fc.nat(50), coldLost: fc.nat(50) });

describe("the frontier", () => {
  it("joins what no other beats on both, cheapest first", () => {
    const points = [
      { policy: "a", netUsd: 5, coldLost: 0 },
      { policy: "b", netUsd: 3, coldLost: 2 },
      { policy: "c", netUsd: 4, coldLost: 3 },
      { policy: "d", netUsd: 6, coldLost: 0 },
    ];
    expect(findFrontier(points).map(({ policy }) => policy)).toEqual(["b", "a"]);
  });

  it("leaves out nobody that is not beaten", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1 }), (points) => {
        const frontier = findFrontier(points);
        for (const one of points) {
          const isMatched = frontier.some(({ netUsd, coldLost }) => netUsd <= one.netUsd && coldLost <= one.coldLost);
          expect(isMatched).toBe(true);
        }
      }),
    );
  });
});
