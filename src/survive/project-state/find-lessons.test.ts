import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { findInstincts, findLearnings } from "./find-lessons.ts";

const failing = story()
  .asks("Mend the hull.")
  .calls("Bash", { command: "npm test" }, "AssertionError: water in the hull\n1 failed", { isError: true });
const edit = { file_path: "/p/hull.ts", old_string: "a", new_string: "b" };

describe("what a session learned", () => {
  it("[R118] is which file was changed before the same test passed", () => {
    const told = failing.calls("Edit", edit, "updated").calls("Bash", { command: "npm test" }, "3 passed");
    expect(findLearnings(told.happened().state)).toMatchObject([
      { key: "npm test", type: "error", files: ["/p/hull.ts"], insight: expect.stringContaining("water in the hull") },
    ]);
  });

  it("is nothing while it is red, where nothing was changed, and where too much was", () => {
    expect(findLearnings(failing.calls("Edit", edit, "updated").happened().state)).toEqual([]);
    expect(findLearnings(failing.calls("Bash", { command: "npm test" }, "3 passed").happened().state)).toEqual([]);
    const many = ["a", "b", "c", "d"].reduce(
      (told, name) => told.calls("Edit", { ...edit, file_path: `/p/${name}.ts` }, "updated"),
      failing,
    );
    expect(findLearnings(many.calls("Bash", { command: "npm test" }, "3 passed").happened().state)).toEqual([]);
  });

  it("[R118] is the form of a command that worked where another was wrong", () => {
    const told = story()
      .asks("Merge it.")
      .calls("Bash", { command: "gh pr merge 2 --delete-branch" }, "fatal: 'main' is already checked out", {
        isError: true,
      })
      .calls("Bash", { command: "gh pr merge 2 --squash" }, "merged");
    expect(findInstincts(told.happened().state)).toMatchObject([
      { name: "gh pr merge 2 --delete-branch", action: "`gh pr merge 2 --squash` worked", confidence: 0.4 },
    ]);
  });
});
