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

  it("[R118] is what a test said, how often, and all files that were changed, but no plan of the client", () => {
    const again = failing
      .calls("Edit", edit, "updated")
      .calls("Bash", { command: "npm test" }, "AssertionError: water in the hull\n1 failed", { isError: true })
      .calls("Edit", { ...edit, file_path: "/p/mast.ts" }, "updated")
      .calls("Write", { file_path: "/p/.claude/plans/a.md", content: "x" }, "ok")
      .calls("Bash", { command: "npm test" }, "3 passed");
    expect(findLearnings(again.happened().state)).toEqual([
      {
        key: "npm test",
        type: "error",
        insight:
          'failed 2 times with "AssertionError: water in the hull"; passed after changes to /p/hull.ts, /p/mast.ts',
        confidence: 0.4,
        files: ["/p/hull.ts", "/p/mast.ts"],
      },
    ]);
  });

  it.each([
    ["Error: cannot find module oak", "npm test"],
    ["FAIL src/hull.test.ts", "npm test"],
    ["AssertionError: water in the hull", "make ship"],
  ])("is nothing where the line teaches nothing or the command is no check: %s, %s", (line, command) => {
    const session = story()
      .asks("Mend it.")
      .calls("Bash", { command }, `Exit code 1\n${line}`, { isError: true })
      .calls("Edit", edit, "updated")
      .calls("Bash", { command }, "3 passed");
    expect(findLearnings(session.happened().state)).toEqual([]);
  });

  it("[R118] is no more than ten lessons, the last ones", () => {
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
    const tests = numbers.reduce(
      (told, at) =>
        told
          .calls("Bash", { command: `npm test -- part${at}` }, `Exit code 1\nError: leak number ${at} in the hull`, {
            isError: true,
          })
          .calls("Edit", edit, "updated")
          .calls("Bash", { command: `npm test -- part${at}` }, "3 passed"),
      story().asks("Mend it."),
    );
    expect(findLearnings(tests.happened().state).map(({ key }) => key)).toEqual(
      numbers.slice(2).map((at) => `npm test -- part${at}`),
    );
    const forms = numbers.reduce(
      (told, at) =>
        told
          .calls("Bash", { command: `tool${at} --old` }, "error: unknown option --old", { isError: true })
          .calls("Bash", { command: `tool${at} --new` }, "done"),
      story().asks("Merge it."),
    );
    expect(findInstincts(forms.happened().state).map(({ title }) => title)).toEqual(
      numbers.slice(2).map((at) => `tool${at} --old`),
    );
    const rules = numbers.reduce((told, at) => told.asks(`Never paint the plank number ${at}.`), story());
    expect(findConventions(rules.happened().state).map(({ title }) => title)).toEqual(
      numbers.slice(2).map((at) => `Never paint the plank number ${at}.`),
    );
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
