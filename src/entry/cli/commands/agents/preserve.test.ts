/** If red: the block for the summariser misses open tasks, decisions or errors, or is too long to be of use. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  createWriter,
  prompt,
  toFile,
  toolResult,
  toolUse,
} from "../../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../../core/json.ts";
import { coldTaskPath } from "../../../../survive/cold-tasks/cold-paths.ts";

const temporary = createTemporaryFolder();

function preserve(cwd: string, ...words: readonly string[]) {
  const file = temporary.name();
  const lines = createWriter({ cwd })(
    prompt("Build it"),
    answer("m1", [toolUse("t1", "TaskCreate", { subject: "Build the parser" })]),
    { ...toolResult("t1", "Task #1 created successfully: Build the parser"), toolUseResult: { task: { id: "1" } } },
    answer("m2", [toolUse("t2", "TaskUpdate", { taskId: "1", status: "in_progress" })]),
    toolResult("t2", "Updated task #1 status"),
    answer("m3", [toolUse("t3", "Write", { file_path: "/nowhere/project/a.txt", content: "one\n" })]),
    toolResult("t3", "File created successfully"),
    answer("m4", [toolUse("t4", "Write", { file_path: "/elsewhere/b.txt", content: "one\n" })]),
    toolResult("t4", "File created successfully"),
  );
  writeFileSync(file, toFile(lines));
  return runPlimsoll(["preserve", "--transcript", file, ...words]);
}

describe("plimsoll preserve", () => {
  it("[R175][R176] prints the block with the tasks that their ids tell of", async () => {
    const { output, exitCode } = await preserve("/nowhere");
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^═══ COMPACTION PRESERVATION INSTRUCTIONS ═══\nTrigger: auto\n/);
    expect(output).toContain("📋 ACTIVE / IN-PROGRESS TASKS:\n  • Build the parser\n");
    expect(output).not.toContain("⚠️");
  });

  it.each(["auto", "manual"])("[R166] says that the trigger was %s", async (trigger) => {
    expect((await preserve("/nowhere", "--trigger", trigger)).output).toContain(`\nTrigger: ${trigger}\n`);
  });

  it("[R173] shows what the session's edits changed since its last commit", async () => {
    const { output } = await preserve("/nowhere/project");
    expect(output).toContain("📦 GIT DIFF STAT:\n  a.txt | 1 +\n  1 file changed, 1 insertion(+), by this session's");
    expect(output).not.toContain("b.txt |");
  });

  it("[R168][R169][R170][R171][R172] names ten tasks, twenty files, five test commands, fifteen decisions and eight errors at most", async () => {
    const file = temporary.name();
    const many = (count: number, make: (index: number) => readonly JsonObject[]): readonly JsonObject[] =>
      Array.from({ length: count }, (_, index) => make(index)).flat();
    const run = (id: string, command: string, output: string): readonly JsonObject[] => [
      answer(`m${id}`, [toolUse(id, "Bash", { command })]),
      toolResult(id, output, { is_error: output.startsWith("Exit code") }),
    ];
    const lines = createWriter({ cwd: "/nowhere" })(
      prompt("Build it"),
      ...many(15, (index) => [
        answer(`mt${index}`, [toolUse(`t${index}`, "TaskCreate", { subject: `Row ${index}` })]),
        {
          ...toolResult(`t${index}`, `Task #${index} created successfully: Row ${index}`),
          toolUseResult: { task: { id: String(index) } },
        },
      ]),
      answer("mu", [toolUse("u", "TaskUpdate", { taskId: "14", status: "in_progress" })]),
      toolResult("u", "Updated task #14 status"),
      ...many(21, (index) => [
        answer(`mf${index}`, [toolUse(`f${index}`, "Write", { file_path: `/nowhere/${index}.ts`, content: "x" })]),
        toolResult(`f${index}`, "ok"),
      ]),
      ...many(6, (index) => run(`v${index}`, `npx vitest run part${index}`, "ok")),
      ...many(16, (index) => [answer(`md${index}`, [`I decided to use plank ${index} because it is dry.`])]),
      ...many(9, (index) => run(`e${index}`, `./saw ${index}`, `Exit code 1\nError: blade ${index} is blunt`)),
    );
    writeFileSync(file, toFile(lines));
    const { output } = await runPlimsoll(["preserve", "--transcript", file]);
    const sections = output.split("\n\n").map((text) => text.split("\n"));
    const count = (icon: string) => (sections.find(([title]) => title?.startsWith(icon)) ?? []).length - 1;
    expect(["📋", "📝", "🧪", "🧠", "⚠️"].map(count)).toEqual([10, 20, 5, 15, 8]);
    expect(output).toContain("📋 ACTIVE / IN-PROGRESS TASKS:\n  • Row 14\n");
  });

  it("[R174] gives what live sessions wrote down of finished tasks", async () => {
    const home = path.join(temporary.folder, "home");
    const file = path.join(temporary.folder, "abc.jsonl");
    const lines = createWriter({ cwd: "/nowhere" })(
      prompt("Build it"),
      answer("m1", [toolUse("t1", "TaskCreate", { subject: "Build the parser" })]),
      { ...toolResult("t1", "Task #1 created successfully: Build the parser"), toolUseResult: { task: { id: "1" } } },
      answer("m2", [toolUse("t2", "TaskUpdate", { taskId: "1", status: "completed" })]),
      toolResult("t2", "Updated task #1 status"),
    );
    writeFileSync(file, toFile(lines));
    const cold = coldTaskPath(home, "abc", "1");
    mkdirSync(path.dirname(cold), { recursive: true });
    const written = {
      session_id: "abc",
      task_id: "1",
      subject: "Build the parser",
      start_turn: 1,
      end_turn: 2,
      compressed_at: "2026-01-01T00:00:00.000Z",
      files_modified: ["src/parse.ts"],
      commands_run: [],
      key_outcomes: ["It reads whole numbers."],
      errors_resolved: [],
    };
    writeFileSync(cold, JSON.stringify(written));
    const { output } = await runPlimsoll(["preserve", "--transcript", file], { environment: { HOME: home } });
    expect(output).toContain("  ▸ Task: Build the parser\n    Files: src/parse.ts\n    → It reads whole numbers.\n");
  });

  it("gives the block and its length as JSON", async () => {
    const { output } = await preserve("/nowhere", "--json");
    const body = JSON.parse(output);
    expect(Object.keys(body)).toEqual(["transcript", "trigger", "characters", "hasDiffStat", "text"]);
    expect(body.characters).toBe(body.text.length);
    expect(body.hasDiffStat).toBe(true);
  });
});
