/** If red: the next session goes on with what was already finished. */
import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import type { StateSave } from "./plan-state-save.ts";
import { toStateSave } from "./to-state-save.ts";

const progress = (saved: StateSave) => saved["progress.md"]?.[0]?.fields ?? {};
const checkpoint = (saved: StateSave) => saved["checkpoint.md"];

describe("what a next session is left", () => {
  it("has nothing to do where the last prompt was answered", () => {
    const saved = toStateSave(story().asks("Paint the load line.").says("It is painted. All done.").happened(), {
      git: "",
      isEnd: false,
    });
    expect(progress(saved)["Next Session Should"]).toBe("none recorded");
    expect(checkpoint(saved)?.fields).toMatchObject({ Resume: "no open task is recorded", Left: "" });
  });

  it("has the request that nobody answered", () => {
    const saved = toStateSave(story().asks("Paint the load line.").happened(), { git: "", isEnd: false });
    expect(progress(saved)["Next Session Should"]).toContain("Paint the load line.");
  });

  it("[R46] [R48] never waits for a result: where no call is under way it had come back", () => {
    const saved = toStateSave(story().asks("Paint the load line.").calls("Bash", { command: "npm test" }).happened(), {
      git: "",
      isEnd: false,
    });
    expect(JSON.stringify(saved)).not.toContain("come back");
    expect(progress(saved)["Next Session Should"]).toContain("Paint the load line.");
  });

  it("[R119] names what is blocked by an error that nothing has resolved", () => {
    const saved = toStateSave(
      story().asks("Build it.").calls("Bash", { command: "make all || true" }, "make: *** [all] Error 1").happened(),
      { git: "", isEnd: false },
    );
    expect(progress(saved).Blocked).toBe("- [ ] `make all`: make: *** [all] Error 1");
  });

  it("[R46] goes on from what the model set about, in its own words", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .says("The bow is done. Now let me caulk the stern.")
      .calls("Bash", { command: "echo oakum" }, "oakum");
    const saved = toStateSave(session.happened(), { git: "main at 1a2b3c4", isEnd: false });
    expect(checkpoint(saved)?.fields).toMatchObject({
      Git: "main at 1a2b3c4",
      Resume: expect.stringMatching(
        /^finish "Make the hull tight before spring\."; the model last said: "The bow is done\. Now let me caulk the stern\."/,
      ),
    });
  });

  it("[R46] is named after the newest request that says something, not after a yes", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .says("Shall I?")
      .asks("Yes")
      .says("Now let me caulk it.");
    expect(checkpoint(toStateSave(session.happened(), { git: "", isEnd: false }))?.title).toBe(
      "Make the hull tight before spring.",
    );
  });

  it("[R118] has a line for the log only when the session is over", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .calls("Write", { file_path: "/p/hull.txt", content: "oak" }, "File created successfully")
      .says("Done.")
      .happened();
    expect(toStateSave(session, { git: "", isEnd: false })["session-log.md"]).toBe("");
    expect(toStateSave(session, { git: "", isEnd: true })["session-log.md"]).toBe(
      '"Make the hull tight before spring.": changed hull.txt',
    );
  });

  it("[R119] keeps decisions with what they were made for, and no mere steps", () => {
    const session = story()
      .asks("Make the hull tight before spring.")
      .says("I decided to use tar because oil is thin. I need to replace the plank since it is rotten.");
    expect(toStateSave(session.happened(), { git: "", isEnd: false })["decisions.md"]).toEqual([
      {
        title: "I decided to use tar because oil is thin.",
        fields: {
          Context: 'asked: "Make the hull tight before spring."',
          Decision: "I decided to use tar because oil is thin.",
          Rationale: "because oil is thin.",
          Impact: "",
        },
      },
    ]);
  });
});
