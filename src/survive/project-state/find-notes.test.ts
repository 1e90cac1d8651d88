/** If red: the next session is given no test command that works, or a task that is done. */
import { describe, expect, it } from "vitest";
import { type Story, story } from "../../../test/support/story.ts";
import { findContinuation } from "../record/continuation.ts";
import { mergeNotes, TASK_NOTES } from "./section-notes.ts";
import { findProjectNotes, findTaskNotes, toUsualCommand } from "./to-state-save.ts";

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

  it("[R118] name the three most usual commands, tests before checks, and nothing that holds for a part or a place", () => {
    const runs = (command: string, times: number) => Array.from({ length: times }, () => command);
    const commands = [
      ...[...runs("npm run lint", 2), ...runs("npm run typecheck", 4), ...runs("npm test", 2), ...runs("pytest", 3)],
      ...[...runs("npm run test:once", 1), ...runs("npm test -- --grep hull", 2), ...runs("npm test src/a.test.ts", 2)],
      ...[...runs("cd /home/me/boat && npm test", 2), ...runs("ls -la", 5), ...runs("npm test\necho done", 2)],
    ];
    const session = commands.reduce(
      (told, command) => told.calls("Bash", { command }, "3 passed"),
      story().asks("Go."),
    );
    expect(findProjectNotes(session.happened().state).map(({ text }) => text)).toEqual([
      "tests run with `pytest`",
      "tests run with `npm test`",
      "checked with `npm run typecheck`",
    ]);
  });

  it("say nothing of a check that failed, nor of one whose end is not known", () => {
    const check = { command: "npm run lint" };
    const session = story().asks("Try it.").calls("Bash", check, "Exit code 1\nbad", { isError: true });
    const running = story().asks("Try it.").calls("Bash", check).calls("Bash", check);
    const twice = session.calls("Bash", check, "Exit code 1\nbad", { isError: true }).calls("Bash", check, "clean");
    expect([session, running, twice].map((told) => findProjectNotes(told.happened().state))).toEqual([[], [], []]);
  });

  it.each([
    ["npm run build 2>&1 | tail -3", "npm run build"],
    [" npm run build ", "npm run build"],
    ["git log --format='%s'", "git log --format='%s'"],
    ["echo 'a", ""],
    ["echo a; echo b", ""],
    ["make a \\", ""],
    ["make a\nmake b", ""],
    ["cat <<EOF", ""],
    ["ssh host make", ""],
    ["ls -la", ""],
    [`make ${"a".repeat(114)}`, `make ${"a".repeat(114)}`],
    [`make ${"a".repeat(115)}`, ""],
  ])("of %j can say as a command to run again: %j", (command, usual) => {
    expect(toUsualCommand(command)).toBe(usual);
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

  it("name what the model said is left only while it is open, and nothing of the person's requests", () => {
    const open = story()
      .asks("Make the hull tight before spring.")
      .says("The bow is done.\n\nRemaining:\n- caulk the stern");
    expect(taskNotes(open)).toEqual([{ section: "What's Left", text: "caulk the stern", isSettled: false }]);
  });

  it("cut a long item of the list, and a long line of a failure", () => {
    const line = `zsh: command not found: ${"x".repeat(300)}`;
    const failing = lists(todo("y".repeat(300), "pending"))
      .calls("Bash", { command: "docker up" }, line, { isError: true })
      .calls("Bash", { command: "docker up" }, line, { isError: true });
    const before = "`docker up` failed 2 times: ".length;
    expect(taskNotes(failing).map(({ text }) => text.length)).toEqual([before + 160, 160]);
  });

  it("[R118] name the last five that failed again with the same line, none that is work left to do or says no more than its status", () => {
    const failing = (command: string, text: string, times = 2) =>
      Array.from({ length: times }, () => ({ command, text }));
    const session = [
      ...Array.from({ length: 6 }, (_, at) => failing(`deploy part${at}`, `fatal: no harbour ${at}`)).flat(),
      ...[...failing("deploy once", "fatal: no quay", 1), ...failing("npm test", "Error: water in the hull")],
      ...[...failing("npm run lint", "error: no semicolon"), ...failing("deploy all", "")],
      ...failing("ls /none", "ls: /none: No such file or directory"),
    ].reduce(
      (told, { command, text }) => told.calls("Bash", { command }, `Exit code 2\n${text}`.trim(), { isError: true }),
      story().asks("Start it."),
    );
    const { state } = session.happened();
    expect(findTaskNotes(state, { open: [], closed: [] }).map(({ text }) => text)).toEqual(
      [1, 2, 3, 4, 5].map((at) => `\`deploy part${at}\` failed 2 times: fatal: no harbour ${at}`),
    );
    const worked = session.calls("Bash", { command: "deploy part5" }, "done").happened().state;
    expect(findTaskNotes(worked, { open: [], closed: [] }).at(-1)?.text).toContain("part4");
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
