import { expect, it } from "vitest";
import { placeLabels } from "./place-labels.ts";

it("writes to the right of a point that stands alone", () => {
  expect(placeLabels([{ x: 100, y: 100, text: "native" }])).toEqual([{ x: 110, y: 104, anchor: "start" }]);
});

it("goes to another side where the right one is taken", () => {
  const [first, second] = placeLabels([
    { x: 100, y: 100, text: "plimsoll" },
    { x: 60, y: 102, text: "clairvoyant" },
  ]);
  expect(first?.anchor).toBe("start");
  expect(second?.anchor).not.toBe("start");
});

it("writes on the right where every side is taken", () => {
  const crowd = Array.from({ length: 6 }, () => ({ x: 100, y: 100, text: "the same place" }));
  expect(placeLabels(crowd).at(-1)).toMatchObject({ anchor: "start" });
});
