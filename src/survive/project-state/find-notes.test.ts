/** If red: the next session is given no test command that works, or a task that is done. */
import { describe, expect, it } from "vitest";
import { type Story, story } from "../../../test/support/story.ts";
import { findContinuation } from "../record/continuation.ts";
import { findProjectNotes, findTaskNotes } from "./find-notes.ts";
import { mergeNotes, TASK_NOTES } from "./section-notes.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);
const todo = (content: string, status: string) => ({ content, status, activeForm: content });
const lists = (...todos: ReturnType<typeof todo>[]) =>
  story().asks("Build the boat.").calls("TodoWrite", { todos }, "ok");

describe("notes on a project", () => {
  it("[R118] name the tests that passed more than once, as they can be run again", () => {
    const twice = story()
      .asks("Try it.")
      .calls("Bash", { command: "npm test 2>&1 | tail -5" }, "Tests  3 passed (3)")
      .calls("Bash", { command: "npm test" }, "Tests  3 passed (3)")
      .calls("Bash", { command: "npm test -- hull.test.ts" }, "Tests  1 passed (1)");
    expect(findProjectNotes(twice.happened().state)).toEqual([
      { section: "Project Profile", text: "tests run with `npm test`" },
    ]);
  });

  it("say nothing of tests that failed", () => {
    const red = story().asks("Try it.").calls("Bash", { command: "npm test" }, "Tests  1 failed", { isError: true });
    expect(
      findProjectNotes(red.calls("Bash", { command: "npm test" }, "1 failed", { isError: true }).happened().state),
    ).toEqual([]);
  });
});

const taskNotes = (session: Story) => findTaskNotes(session.happened().state, findContinuation(session.happened()));

describe("notes on a task", () => {
  it("[R118] name what is left, and take it off when it is done", () => {
    const begun = taskNotes(lists(todo("Plank the hull", "in_progress"), todo("Rig it", "pending")));
    const { text } = mergeNotes("", begun, { shape: TASK_NOTES, atMs: AT });
    expect(text).toContain("## What's Left\n- Plank the hull (2026-01-02 10:20)\n- Rig it (2026-01-02 10:20)\n");
    const done = taskNotes(lists(todo("Plank the hull", "completed"), todo("Rig it", "pending")));
    const later = mergeNotes(text, done, { shape: TASK_NOTES, atMs: AT });
    expect(later.text).not.toContain("Plank the hull");
    expect(later.evicted).toEqual(["- Plank the hull (2026-01-02 10:20)"]);
    expect(mergeNotes(later.text, done, { shape: TASK_NOTES, atMs: AT }).text).toBe(later.text);
  });

  it("leave what a person wrote down", () => {
    const own = "## What's Left\n- Plank the hull\n";
    const done = taskNotes(lists(todo("Plank the hull", "completed")));
    expect(mergeNotes(own, done, { shape: TASK_NOTES, atMs: AT })).toEqual({ text: own, evicted: [] });
  });

  it("[R118] name what failed twice and never worked", () => {
    const session = story()
      .asks("Start it.")
      .calls("Bash", { command: "docker compose up -d" }, "zsh: command not found: docker", { isError: true })
      .calls("Bash", { command: "docker compose up -d" }, "zsh: command not found: docker", { isError: true });
    expect(taskNotes(session)).toEqual([
      { section: "What Failed", text: "`docker compose up -d` failed 2 times: zsh: command not found: docker" },
    ]);
  });
});
