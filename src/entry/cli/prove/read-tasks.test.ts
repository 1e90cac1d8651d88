/** If red: plimsoll prove runs tasks in the wrong folder, or starts with a task file that it cannot read. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readTasks } from "./run-task.ts";

// A task that is wrong is noticed before the person's money is spent.
const temporary = createTemporaryFolder();
const terminal = { directory: temporary.folder };
function write(value: unknown): string {
  const file = temporary.name();
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return path.relative(temporary.folder, file);
}

describe("a file with tasks", () => {
  it("gives each task its folder, relative to the file, and leaves the check to the person", () => {
    const file = write({ tasks: [{ name: " login ", prompts: ["Fix it.", "Go on."] }], args: ["--verbose"] });
    expect(readTasks(file, terminal)).toEqual({
      tasks: [{ name: "login", folder: temporary.folder, prompts: ["Fix it.", "Go on."], check: "" }],
      args: ["--verbose"],
    });
  });

  it.each([
    ["no JSON", "tasks:", 'there is no list "tasks"'],
    ["no tasks", { tasks: [] }, 'the list "tasks" is empty'],
    ["a task without a name", { tasks: [{ prompts: ["x"] }] }, 'task 1 has no "name"'],
    ["a task without prompts", { tasks: [{ name: "a", prompts: [] }] }, 'task 1 has no list "prompts"'],
    ["a prompt that is no text", { tasks: [{ name: "a", prompts: [1] }] }, 'task 1 has no list "prompts"'],
    ["a check that is no command", { tasks: [{ name: "a", prompts: ["x"], check: 1 }] }, '"check" of task 1'],
    ["a folder that is not there", { tasks: [{ name: "a", prompts: ["x"], folder: "gone" }] }, "the folder gone"],
    ["arguments that are no list", { tasks: [{ name: "a", prompts: ["x"] }], args: "-v" }, '"args" must be'],
    [
      "a name twice",
      {
        tasks: [
          { name: "a", prompts: ["x"] },
          { name: "a", prompts: ["y"] },
        ],
      },
      "two tasks have the same name",
    ],
  ])("with %s is refused, with an example", (_, value, message) => {
    const read = () => readTasks(write(value), terminal);
    expect(read).toThrow(message);
    expect(read).toThrow('{ "tasks": [{ "name": "login"');
  });

  it("that is not there is named", () => {
    expect(() => readTasks("gone.json", terminal)).toThrow("cannot read the tasks in gone.json");
  });
});
