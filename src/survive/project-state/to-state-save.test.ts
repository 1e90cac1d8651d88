import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { toStateSave } from "./to-state-save.ts";

describe("what a next session is left", () => {
  it("has nothing to do where the last prompt was answered", () => {
    const saved = toStateSave(story().asks("Paint the load line.").says("It is painted. All done.").happened());
    expect(saved.progress?.nextSessionShould).toEqual([]);
    expect(saved.checkpoint).toMatchObject({ resume: "nothing is open", left: [] });
  });

  it("has the request that nobody answered", () => {
    const saved = toStateSave(story().asks("Paint the load line.").happened());
    expect(saved.progress?.nextSessionShould?.join()).toContain("Paint the load line.");
  });
});
