/** If red: a session's lesson is not kept for the next, or a remark becomes a convention. */
import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { findConventions, findInstincts, findLearnings, isConvention } from "./to-state-save.ts";

const failing = story()
  .asks("Mend the hull.")
  .calls("Bash", { command: "npm test" }, "AssertionError: water in the hull\n1 failed", { isError: true });
const edit = { file_path: "/p/hull.ts", old_string: "a", new_string: "b" };

describe("what a session learned", () => {
  it("[R118] is which file was changed before the same test passed", () => {
    const session = failing.calls("Edit", edit, "updated").calls("Bash", { command: "npm test" }, "3 passed");
    expect(findLearnings(session.happened().state)).toMatchObject([
      { key: "npm test", type: "error", files: ["/p/hull.ts"], insight: expect.stringContaining("water in the hull") },
    ]);
  });

  it("is nothing while it is red, where nothing was changed, and where too much was", () => {
    expect(findLearnings(failing.calls("Edit", edit, "updated").happened().state)).toEqual([]);
    expect(findLearnings(failing.calls("Bash", { command: "npm test" }, "3 passed").happened().state)).toEqual([]);
    const many = ["a", "b", "c", "d"].reduce(
      (session, name) => session.calls("Edit", { ...edit, file_path: `/p/${name}.ts` }, "updated"),
      failing,
    );
    expect(findLearnings(many.calls("Bash", { command: "npm test" }, "3 passed").happened().state)).toEqual([]);
  });

  it("[R118] is the form of a command that worked where another was wrong", () => {
    const session = story()
      .asks("Merge it.")
      .calls("Bash", { command: "gh pr merge 2 --delete-branch" }, "fatal: 'main' is already checked out", {
        isError: true,
      })
      .calls("Bash", { command: "gh pr merge 2 --squash" }, "merged");
    expect(findInstincts(session.happened().state)).toMatchObject([
      {
        title: "gh pr merge 2 --delete-branch",
        fields: { Action: "`gh pr merge 2 --squash` worked", Confidence: "0.4" },
      },
    ]);
  });
});

describe("what the person laid down", () => {
  it.each([
    "Never paint the keel.",
    "If not, always go back to main and branch off from there.",
    "From now on write the log in English.",
    "Remember to sign every plank on your own.",
  ])("is a convention: %s", (sentence) => {
    expect(isConvention(sentence)).toBe(true);
  });

  it.each([
    "It always returns 0, which is wrong.",
    "The recovery reads the pointer, never deriving the name.",
    "You can always use the other hull.",
    "Why does it never float?",
    "I think we should never paint it, maybe.",
    "Paint the keel.",
  ])("is none: %s", (sentence) => {
    expect(isConvention(sentence)).toBe(false);
  });

  it("[R118] [R119] is kept word for word, once", () => {
    const session = story()
      .asks("Paint it. Never paint the keel.")
      .says("Aye.")
      .asks("Never paint the keel.")
      .happened();
    expect(findConventions(session.state)).toEqual([
      {
        title: "Never paint the keel.",
        fields: { Pattern: "Never paint the keel.", Example: "", "Applies to": "" },
      },
    ]);
  });
});
