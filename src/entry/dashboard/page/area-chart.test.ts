/** If red: the chart draws a compaction in the wrong place or reaches past its frame. */
import { expect, it } from "vitest";
import { findDrawn } from "../../../../test/support/find-drawn.ts";
import type { Mark, Series } from "../wire.ts";
import { chooseTop, drawSeries, isLineOutside, listPagePlaces, MarkSign } from "./area-chart.tsx";

const series = (...marks: readonly Mark[]): Series => ({
  requests: [1, 2, 3],
  usedTokens: [9, 9, 2],
  layers: [],
  marks,
});

it("goes through the requests one by one", () => {
  expect(listPagePlaces(series()).map(({ place }) => place)).toEqual([0, 1, 2]);
});

it("holds what the window held right up to a compaction, and to nothing else", () => {
  const places = listPagePlaces(
    series({ request: 3, kind: "compaction", text: "" }, { request: 2, kind: "miss", text: "" }),
  );
  expect(places.map(({ place }) => place)).toEqual([0, 1, 1, 2]);
  const requests = places.map(({ request }) => request);
  expect(requests).toEqual([...requests].sort((left, right) => left - right));
  expect(requests[2]).toBeCloseTo(3, 2);
});

it("has nothing to hold before the first request", () => {
  expect(listPagePlaces(series({ request: 1, kind: "compaction", text: "" }))).toHaveLength(3);
});

it.each([
  [100_000, 167_000, 180_360],
  [180_000, 167_000, 194_400],
  [60_000, 967_000, 75_000],
])("a chart of at most %d tokens below a line at %d reaches to %d", (most, line, top) => {
  expect(chooseTop(most, line)).toBeCloseTo(top, 6);
  expect(isLineOutside(most, line)).toBe(top < line);
});

it("has a height where nothing was used", () => {
  const layers = [{ name: "Said", kind: "said", tokens: [0, 0, 0] }];
  const drawn = drawSeries({ ...series(), usedTokens: [0, 0, 0], layers }, 167_000, 600);
  expect(findDrawn(drawn, "path")).toMatchObject([{ d: "M52 280L52.00 280.00L322.00 280.00L592.00 280.00V280Z" }]);
});

it("stacks the signs of a request, and leaves out those next to the chart", () => {
  const mark = (request: number): Mark => ({ request, kind: "miss", text: "" });
  const drawn = drawSeries(series(mark(0), mark(1), mark(3), mark(3), mark(4)), 167_000, 600);
  expect(findDrawn(drawn, MarkSign).map(({ x, y }) => [x, y])).toEqual([
    [46, 23],
    [586, 23],
    [586, 10],
  ]);
});
