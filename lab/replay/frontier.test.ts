/** If red: the picture of policies shows one as good that another beats in price and in loss. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type FrontierPoint, findFrontier } from "./frontier.ts";

const point = (name: string, needShare: number, relativeUsd: number): FrontierPoint => ({
  name,
  needShare,
  relativeUsd,
});

it("keeps the points that none other beats in both, the safest first", () => {
  const points = [
    point("dear", 0, 1),
    point("beaten", 0.2, 0.9),
    point("middle", 0.1, 0.8),
    point("cheap", 0.5, 0.3),
    point("worst", 0.6, 0.3),
  ];
  expect(findFrontier(points).map(({ name }) => name)).toEqual(["dear", "middle", "cheap"]);
});

it("leaves no point that is better in both than one of the frontier", () => {
  const share = fc.integer({ min: 0, max: 9 });
  const arbitraryPoint = fc.record({ name: fc.constant("p"), needShare: share, relativeUsd: share });
  fc.assert(
    fc.property(fc.array(arbitraryPoint), (points) => {
      for (const kept of findFrontier(points))
        expect(points.some((other) => other.needShare < kept.needShare && other.relativeUsd < kept.relativeUsd)).toBe(
          false,
        );
    }),
  );
});
