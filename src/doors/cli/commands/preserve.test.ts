import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  createWriter,
  prompt,
  toFile,
  toolResult,
  toolUse,
} from "../../../../test/support/transcript-lines.ts";

const temporary = createTemporaryFolder();

function createRepository(name: string): string {
  const folder = path.join(temporary.folder, name);
  mkdirSync(folder);
  execFileSync("git", ["init", "--quiet", folder]);
  writeFileSync(path.join(folder, "a.txt"), "one\n");
  execFileSync("git", ["add", "a.txt"], { cwd: folder });
  return folder;
}

function commit(folder: string): void {
  const who = ["-c", "user.name=someone", "-c", "user.email=someone@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...who, "commit", "--quiet", "--message", "first"], { cwd: folder });
}

function preserve(cwd: string, ...words: readonly string[]) {
  const file = temporary.name();
  const lines = createWriter({ cwd })(
    prompt("Build it"),
    answer("m1", [toolUse("t1", "TaskCreate", { subject: "Build the parser" })]),
    { ...toolResult("t1", "Task #1 created successfully: Build the parser"), toolUseResult: { task: { id: "1" } } },
    answer("m2", [toolUse("t2", "TaskUpdate", { taskId: "1", status: "in_progress" })]),
    toolResult("t2", "Updated task #1 status"),
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
    expect(output).not.toContain("📦");
  });

  it.each(["auto", "manual"])("[R166] says that the trigger was %s", async (trigger) => {
    expect((await preserve("/nowhere", "--trigger", trigger)).output).toContain(`\nTrigger: ${trigger}\n`);
  });

  it("[R173] shows what changed since the last commit in the session's own folder", async () => {
    const folder = createRepository("committed");
    commit(folder);
    writeFileSync(path.join(folder, "a.txt"), "one\ntwo\n");
    const { output } = await preserve(folder);
    expect(output).toMatch(/📦 GIT DIFF STAT:\n {2}a\.txt \| 1 \+\n {2}1 file changed, 1 insertion\(\+\)\n/u);
  });

  it("[R173] shows what is staged where there is no commit yet", async () => {
    const { output } = await preserve(createRepository("fresh"));
    expect(output).toMatch(/📦 GIT DIFF STAT:\n {2}a\.txt \| 1 \+\n/u);
  });

  it("gives the block and its length as JSON", async () => {
    const { output } = await preserve("/nowhere", "--json");
    const body = JSON.parse(output);
    expect(Object.keys(body)).toEqual(["transcript", "trigger", "characters", "hasDiffStat", "text"]);
    expect(body.characters).toBe(body.text.length);
    expect(body.hasDiffStat).toBe(false);
  });
});
