import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ApiRequest } from "../../test/api/api-request.ts";
import { ARMS, type Arm } from "./arms.ts";
import { askCommand } from "./ask-command.ts";
import { copyRepository, type Played, type PlayedTask, playTask, type Summaries } from "./play-task.ts";
import { renderRequest } from "./render-request.ts";
import { renderTask } from "./render-task.ts";
import type { SolvedTask } from "./task.ts";
import { listKeys, type WorkerKey } from "./worker-key.ts";

export interface Preparing {
  readonly out: string;
  /** Folders for each task and arm. */
  readonly workers: number;
  /** Writes summaries: a text on standard input, its answer on standard output. Without it they are waited for. */
  readonly summaryCommand: string | undefined;
  /** Plimsoll's program and this lab's, as absolute paths. */
  readonly program: string;
  readonly lab: string;
  remark(text: string): void;
}

/** Prepares the arms of a task that are not prepared yet. A folder that is listed in READY.txt is never changed again. */
export async function prepareTask(task: SolvedTask, preparing: Preparing): Promise<void> {
  const { out } = preparing;
  await mkdir(path.join(out, "key"), { recursive: true });
  await mkdir(path.join(out, "summaries"), { recursive: true });
  const done = new Set(listKeys(out).flatMap((key) => (key.task === task.name ? [key.arm] : [])));
  const open = ARMS.filter(({ name }) => !done.has(name));
  const ready: string[] = [];
  for (const played of new Set(open.map((arm) => arm.played))) {
    preparing.remark(`${task.name}: playing, ${played}\n`);
    const result = await playWithSummaries(task, played, preparing);
    if (result === undefined) continue;
    const home = path.join(out, "key", `${task.name}-${played}`);
    // Whoever knows nothing of part 1 finds its repository all the same: the whole conversation is played first.
    const worked = path.join(out, "key", `${task.name}-repository`);
    if (played === "whole") await copyRepository(result.repository, worked);
    await cp(path.join(result.home, ".claude"), path.join(home, ".claude"), { recursive: true });
    // Recalls are answered out of what the session stored here and in its HOME.
    await cp(result.repository, path.join(home, "project"), { recursive: true });
    for (const arm of open.filter((each) => each.played === played))
      for (let worker = 0; worker < preparing.workers; worker++)
        ready.push(await writeFolder({ task, arm, result, home, worked }, preparing));
    await result.close();
  }
  // Sorted by their random names: the order says nothing about the arms.
  appendFileSync(
    path.join(out, "READY.txt"),
    ready
      .sort()
      .map((folder) => `${folder} ${task.name}\n`)
      .join(""),
  );
}

/** Plays until every summary has been written; `undefined` where one has to be waited for. */
async function playWithSummaries(
  task: SolvedTask,
  played: Played,
  preparing: Preparing,
): Promise<PlayedTask | undefined> {
  const folder = path.join(preparing.out, "summaries");
  const summaries: Summaries = {
    find(name) {
      const file = path.join(folder, `${name}.answer.txt`);
      return existsSync(file) ? asSummary(readFileSync(file, "utf8")) : undefined;
    },
  };
  for (;;) {
    const result = await playTask(task, played, summaries);
    if ("repository" in result) return result;
    const prompt = renderSummaryPrompt(result.request);
    const file = path.join(folder, `${result.name}.prompt.txt`);
    const isNew = !existsSync(file);
    await writeFile(file, prompt);
    if (isNew) appendFileSync(path.join(preparing.out, "SUMMARIES.txt"), `${file}\n`);
    if (preparing.summaryCommand === undefined) {
      preparing.remark(`Waiting for ${file.replace(/prompt\.txt$/, "answer.txt")}\n`);
      return undefined;
    }
    await writeFile(path.join(folder, `${result.name}.answer.txt`), await askCommand(preparing.summaryCommand, prompt));
  }
}

function renderSummaryPrompt(request: ApiRequest): string {
  return `This is a conversation between a person (user) and a model (assistant) that works with tools. You are the model. Answer its last message.\n\n${renderRequest(request)}\n`;
}

/** The client takes the text between these tags; a model that left them out means all of it. */
function asSummary(text: string): string {
  return text.includes("<summary>") ? text : `<summary>\n${text}\n</summary>`;
}

interface Folder {
  readonly task: SolvedTask;
  readonly arm: Arm;
  readonly result: PlayedTask;
  readonly home: string;
  readonly worked: string;
}

/** Writes what one worker gets, under a name that says nothing of its arm; returns the path. */
async function writeFolder({ task, arm, result, home, worked }: Folder, preparing: Preparing): Promise<string> {
  const { out } = preparing;
  const id = randomBytes(4).toString("hex");
  const folder = path.join(out, "work", id);
  const repository = path.join(folder, "repo");
  await mkdir(folder, { recursive: true });
  await copyRepository(worked, repository);
  const moved = (text: string): string =>
    text.replaceAll(result.repository, repository).replaceAll(result.home, path.join(folder, "home"));
  const context = moved(renderRequest(result.request));
  const key: WorkerKey = {
    id,
    task: task.name,
    arm: arm.name,
    folder,
    home,
    repository: path.join(home, "project"),
    sessionId: result.sessionId,
    transcript: result.transcript.replace(result.home, home),
    program: preparing.program,
    counts: path.join(out, "key", `${id}.counts.jsonl`),
    contextCharacters: context.length,
    version: 1,
  };
  const keyFile = path.join(out, "key", `${id}.json`);
  for (const way of arm.readsBack) {
    const script = path.join(folder, way);
    await writeFile(
      script,
      `#!/bin/sh\nexec "${process.execPath}" "${preparing.lab}" solved ${way} "${keyFile}" "$@"\n`,
    );
    await chmod(script, 0o755);
  }
  await writeFile(path.join(folder, "context.md"), context);
  await writeFile(path.join(folder, "task.md"), renderTask(task, arm, result.request));
  await writeFile(keyFile, JSON.stringify(key, null, 1));
  return folder;
}
