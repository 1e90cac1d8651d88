/** If red: the expected number of recalls is wrong, and so are decisions to collapse. */
import { describe, expect, it } from "vitest";
import {
  addRecalls,
  chooseRecallRate,
  describeRecalls,
  LEAST_COMPACTIONS,
  parseRecalls,
  renderRecalls,
  sumRecalls,
} from "./recall-rate.ts";

const few = { compactions: LEAST_COMPACTIONS - 1, recalls: 27 };

describe("how often originals are fetched back", () => {
  it("is counted by project, and read as it was written", () => {
    const once = addRecalls({}, "/rig", { compactions: 1, recalls: 0 });
    const twice = addRecalls(addRecalls(once, "/rig", { compactions: 0, recalls: 2 }), "/hull", few);
    expect(twice).toEqual({ "/rig": { compactions: 1, recalls: 2 }, "/hull": few });
    expect(parseRecalls(renderRecalls(twice))).toEqual(twice);
    expect(sumRecalls(twice)).toEqual({ compactions: few.compactions + 1, recalls: 29 });
    expect(parseRecalls('{"projects": {"/rig": 3}}')).toEqual({});
    expect(parseRecalls("torn")).toEqual({});
  });

  it("is the project's own rate after enough compactions, else the person's, else unknown", () => {
    const many = { compactions: LEAST_COMPACTIONS, recalls: 5 };
    expect(chooseRecallRate({ "/rig": few }, "/rig")).toBeUndefined();
    expect(chooseRecallRate({ "/rig": few, "/hull": many }, "/rig")).toBeCloseTo(32 / 19);
    expect(chooseRecallRate({ "/rig": few, "/hull": many }, "/hull")).toBeCloseTo(0.5);
  });

  it("is said with what it is used for, and not before anything is counted", () => {
    expect(describeRecalls({})).toBe("");
    expect(describeRecalls({ "/rig": few })).toBe(
      "27 after 9 compactions (3.0 each); from 10 compactions on the price counts your own rate",
    );
    expect(describeRecalls({ "/rig": { compactions: 20, recalls: 10 } })).toBe(
      "10 after 20 compactions (0.5 each); the price of a compaction counts your own rate",
    );
  });
});
