import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { story } from "../../../test/support/story.ts";
import { findContinuation } from "./continuation.ts";
import { isVague } from "./is-vague.ts";

const EDIT = { file_path: "/p/src/pay.ts", old_string: "one", new_string: "two" };
const DETAIL = { originalFile: "function pay() {\n  one\n}\n", oldString: "one", newString: "two" };

/** A change in the second line of `pay`. */
const edited = story().asks("Add rounding to pay").calls("Edit", EDIT, "ok", { detail: DETAIL });

describe("the continuation point", () => {
  it("[R46][R48] is the failing test with its error line and the place of the last change", () => {
    const happened = edited
      .calls("Bash", { command: "npm test" }, "Exit code 1\nError: expected 3 to be 4 at pay.test.ts:12", {
        isError: true,
      })
      .happened();
    expect(findContinuation(happened)).toEqual({
      kind: "failure",
      action:
        "make `npm test` pass: Error: expected 3 to be 4 at pay.test.ts:12; the last change was at /p/src/pay.ts:2 (pay)",
      evidence: "call:toolu_0000c2",
    });
  });

  it("is a command that has just failed, and no longer once others went well", () => {
    const failing = edited.calls("Bash", { command: "npm run build" }, "Exit code 2\nerror: no such module", {
      isError: true,
    });
    expect(findContinuation(failing.happened()).action).toContain("resolve `npm run build`: error: no such module");
    const later = ["ls a", "ls b", "ls c"].reduce((told, command) => told.calls("Bash", { command }, "fine"), failing);
    expect(findContinuation(later.happened()).kind).not.toBe("failure");
  });

  it("[R46] is the task being done, with file, line and function", () => {
    const happened = story()
      .asks("Add rounding")
      .calls("TodoWrite", { todos: [{ content: "Round the total", status: "in_progress" }] }, "ok")
      .calls("Edit", EDIT, "ok", { detail: DETAIL })
      .happened();
    expect(findContinuation(happened).action).toBe(
      'finish "Round the total"; the last change was at /p/src/pay.ts:2 (pay); the last step was `edit /p/src/pay.ts`',
    );
  });

  it("is the prompt that nobody has answered yet, in the person's words", () => {
    const happened = edited.says("Done.").asks("Now rename pay to settle").happened();
    expect(findContinuation(happened)).toMatchObject({
      kind: "prompt",
      action: 'answer what the user asked: "Now rename pay to settle"',
    });
  });

  it("[R46] does not take a bare go-ahead for the next action, but what it is about", () => {
    const { action } = findContinuation(edited.asks("continue").happened());
    expect(action).toContain('finish "Add rounding to pay"');
  });

  it("is the person's answer where a question was asked back", () => {
    const happened = edited.says("Both would work. Shall I round half up or half even?").happened();
    expect(findContinuation(happened)).toMatchObject({
      kind: "question",
      action: 'wait for the user\'s answer to: "Shall I round half up or half even?"',
    });
  });

  it("is a result that had not come back, of the last request only", () => {
    const waiting = edited.calls("Bash", { command: "npm run e2e" });
    expect(findContinuation(waiting.happened()).action).toContain("take up the result of `npm run e2e`");
    const later = waiting.calls("Read", { file_path: "/p/src/pay.ts" }, "text");
    expect(findContinuation(later.happened()).kind).not.toBe("waiting");
  });

  it("[R46] is an honest unknown where nothing tells", () => {
    expect(findContinuation(story().happened())).toMatchObject({ kind: "unknown" });
    expect(findContinuation(story().asks("continue").happened()).action).toMatch(/^unknown: /);
  });

  it("says that nothing is open when the last prompt was answered", () => {
    const { kind, action } = findContinuation(edited.says("It rounds now.").happened());
    expect({ kind, action }).toEqual({
      kind: "nothing",
      action: 'nothing is open: "Add rounding to pay" was answered; wait for the user\'s next prompt',
    });
  });

  it("[R46] is never vague and always one line, whatever happened", () => {
    fc.assert(
      fc.property(arbitraryHappened, (happened) => {
        const { action } = findContinuation(happened);
        expect(isVague(action)).toBe(false);
        expect(action).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 50 },
    );
  });

  it("[R46] [R48] is the model's own next step in the middle of a turn", () => {
    const told = story()
      .asks("Move the store.")
      .says("The parser works. Next: write the migration in src/migrate.ts.")
      .calls("Bash", { command: "ls" }, "a");
    expect(findContinuation(told.happened())).toMatchObject({
      kind: "announced",
      action: expect.stringContaining("write the migration in src/migrate.ts"),
    });
  });
});
