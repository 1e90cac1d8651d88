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

  it("[R46] [R48] never waits for a result: where no call is under way it had come back", () => {
    const saved = toStateSave(story().asks("Paint the load line.").calls("Bash", { command: "npm test" }).happened());
    expect(JSON.stringify(saved)).not.toContain("come back");
    expect(saved.progress?.nextSessionShould?.join()).toContain("Paint the load line.");
  });

  it("[R119] names what is blocked by an error that nothing has resolved", () => {
    const saved = toStateSave(
      story().asks("Build it.").calls("Bash", { command: "make all || true" }, "make: *** [all] Error 1").happened(),
    );
    expect(saved.progress?.blocked).toEqual(["`make all`: make: *** [all] Error 1"]);
  });
});
