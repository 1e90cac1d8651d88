/** If red: the benchmark of solved tasks gives marks for work that was not done. */
import { execSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runChecks } from "./finished-repository.ts";
import { countCalls } from "./play-task.ts";
import { readTranscript } from "./read-back.ts";
import { renderScores, scoreArms, scoreWorker } from "./score.ts";
import type { SolvedTask } from "./task.ts";
import { TASKS } from "./tasks/catalogue.ts";
import type { WorkerKey } from "./worker-key.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The repository as part 1 leaves it: what was there, then what the script writes. */
function layRepository({ files, turns }: SolvedTask, more: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-solved-"));
  folders.push(folder);
  const written = turns.flatMap(({ calls }) =>
    calls.flatMap(({ tool, input }) =>
      tool === "Write" ? [[String(input.file_path).replace("{repo}/", ""), String(input.content)] as const] : [],
    ),
  );
  for (const [name, text] of [...Object.entries(files), ...written, ...Object.entries(more)]) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}

describe.each(TASKS.map((task) => [task.name, task] as const))("the task %s", (_, task) => {
  it("gives full marks to its solution", () => {
    const folder = layRepository(task, task.solution);
    if (task.solutionCommand) execSync(task.solutionCommand, { cwd: folder });
    const failed = runChecks(task, folder).filter(({ isHeld }) => !isHeld);
    expect(failed).toEqual([]);
  });

  it("gives none to a repository that nobody touched in part 2", () => {
    const held = runChecks(task, layRepository(task, {})).filter(({ isHeld }) => isHeld);
    expect(held).toEqual([]);
  });

  it("has at least 60 calls and two compactions, and checks of every kind", () => {
    expect(countCalls(task)).toBeGreaterThanOrEqual(60);
    expect(task.turns.filter(({ isCompacted }) => isCompacted).length).toBeGreaterThanOrEqual(2);
    expect(new Set(task.checks.map(({ kind }) => kind)).size).toBe(4);
  });
});

/** A worker's folder with a repository in it, as `prepare` lays it out. */
function layWorker(task: SolvedTask, arm: string, more: Readonly<Record<string, string>>): WorkerKey {
  const folder = layRepository(task, {});
  const repository = layRepository(task, more);
  renameSync(repository, path.join(folder, "repo"));
  const transcript = path.join(folder, "session.jsonl");
  for (const [file, text] of [
    [transcript, '{"text":"oak"}\n{"text":"tar"}\n{"text":"oakum"}\n'],
    [path.join(folder, "context.md"), "what was said before"],
    [path.join(folder, "report.md"), "done"],
  ] as const)
    writeFileSync(file, text);
  const counts = path.join(folder, "counts.jsonl");
  const none = { home: "", repository: "", sessionId: "", program: "", contextCharacters: 0, version: 1 } as const;
  return { ...none, id: arm, task: task.name, arm, folder, transcript, counts };
}

describe("the score", () => {
  const [first, second] = TASKS;
  if (!first || !second) throw new Error("there are two tasks at least");

  it("is whole for solutions, nothing for what nobody touched, and has intervals over tasks", () => {
    const workers = [first, second].flatMap((task) => [
      scoreWorker(layWorker(task, "whole conversation", task.solution)),
      scoreWorker(layWorker(task, "nothing", {})),
    ]);
    const arms = scoreArms(workers);
    expect(arms.find(({ arm }) => arm === "whole conversation")).toMatchObject({
      share: 1,
      interval: { low: 1, high: 1 },
      byKind: { "rule kept": 1, "readable again": 1 },
    });
    expect(arms.find(({ arm }) => arm === "nothing")).toMatchObject({ share: 0, workers: 2, tasks: 2 });
    expect(renderScores(arms, workers)).toContain("| whole conversation | 2 on 2 | 100 % | 100 % to 100 % |");
  });

  it("counts what was read back out of the transcript", () => {
    const key = layWorker(first, "client's summary", {});
    expect(readTranscript(key, ["grep", "oak"])).toBe('1: {"text":"oak"}\n3: {"text":"oakum"}');
    expect(readTranscript(key, ["lines", "2-2"])).toBe('2: {"text":"tar"}');
    expect(scoreWorker(key)).toMatchObject({ transcriptReadings: 2, recalls: 0, tokensReadBack: expect.any(Number) });
  });

  it("leaves out who has written no report", () => {
    const key = layWorker(first, "nothing", {});
    rmSync(path.join(key.folder, "report.md"));
    expect(scoreArms([scoreWorker(key)]).every(({ workers }) => workers === 0)).toBe(true);
  });
});
