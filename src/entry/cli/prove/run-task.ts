import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isObject, type Json, numberField, parseJson } from "../../../core/json.ts";
import type { Usage } from "../../../core/usage.ts";
import { listAll, scanUsage } from "../../../hosts/catalogue.ts";
import { isLowerBound } from "../../../models/economics/bill.ts";
import { accountFor } from "../../../recorded/accounts.ts";
import { CliError, type Terminal } from "../command.ts";
import { PLUGIN_FOLDERS, PLUGIN_IDS, PLUGIN_NAMES } from "../install/find-package.ts";

interface RunPlan {
  readonly task: Task;
  readonly hasPlimsoll: boolean;
  /** An empty place for the copy. */
  readonly folder: string;
  /** What the client may spend at most. */
  readonly maxUsd: number;
}

/** What all runs share. */
export interface ProofStage {
  readonly program: string;
  /** The folder with our plugins. */
  readonly packageFolder: string;
  readonly model: string | undefined;
  readonly args: readonly string[];
  readonly terminal: Terminal;
}

export interface TaskRun {
  /** By the session files that the client recorded, subagents included, at list prices. */
  readonly usd: number;
  readonly isAtLeast: boolean;
  /** As the client itself reported; absent if it reported none. */
  readonly clientUsd: number | undefined;
  readonly requests: number;
  readonly usage: Usage;
  readonly compactions: number;
  readonly models: readonly string[];
  readonly seconds: number;
  /** `undefined` without a check. */
  readonly hasPassed: boolean | undefined;
  /** What the client ended with, if that was a failure. */
  readonly problem: string | undefined;
}

/** State of earlier sessions would help one side only. */
const LEFT_OUT = new Set([".plimsoll"]);

/** Copies the folder, gives the client one prompt after the other, checks the work, and reads what was billed. */
export async function runTask(plan: RunPlan, stage: ProofStage): Promise<TaskRun> {
  const { task, folder } = plan;
  const { terminal } = stage;
  mkdirSync(path.dirname(folder), { recursive: true });
  cpSync(task.folder, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => !LEFT_OUT.has(path.relative(task.folder, from)),
  });
  const sessionId = randomUUID();
  const startMs = terminal.nowMs();
  const client = await talk(plan, stage, sessionId);
  const seconds = Math.round((terminal.nowMs() - startMs) / 1000);
  const check = task.check === "" ? undefined : await start(task.check, [], { folder, terminal, shell: true });
  const files = listAll(terminal.environment, terminal.hosts).filter((file) => file.path.includes(sessionId));
  const scans = files.map((file) => scanUsage(file.path, terminal.hosts));
  const steps = scans.flatMap((scan) => scan.steps);
  const account = accountFor(steps);
  return {
    usd: account.spend.totalUsd,
    isAtLeast: isLowerBound(account),
    clientUsd: client.usd,
    requests: account.requests,
    usage: account.usage,
    compactions: scans.reduce((sum, scan) => sum + scan.compactions.length, 0),
    models: [...new Set(steps.map(({ model }) => model))],
    seconds,
    hasPassed: check && check.status === 0,
    problem: client.problem,
  };
}

/** Both sides are without an installed Plimsoll, and one has the plugin of this package: nothing else differs. */
function renderArguments({ hasPlimsoll, maxUsd }: RunPlan, stage: ProofStage, sessionId: string): readonly string[] {
  const off = Object.fromEntries(PLUGIN_NAMES.map((name) => [PLUGIN_IDS[name], false]));
  return [
    ...["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    ...["--session-id", sessionId, "--max-budget-usd", maxUsd.toFixed(2)],
    ...["--settings", JSON.stringify({ enabledPlugins: off })],
    ...(hasPlimsoll ? ["--plugin-dir", path.join(stage.packageFolder, PLUGIN_FOLDERS.module)] : []),
    ...(stage.model === undefined ? [] : ["--model", stage.model]),
    ...stage.args,
  ];
}

/** The next prompt is given when the client has answered the one before. */
async function talk(plan: RunPlan, stage: ProofStage, sessionId: string) {
  const prompts = [...plan.task.prompts];
  let usd: number | undefined;
  let problem: string | undefined;
  const words = renderArguments(plan, stage, sessionId);
  const ended = await start(stage.program, words, {
    folder: plan.folder,
    terminal: stage.terminal,
    next: (line) => {
      if (line !== undefined) {
        const event = parseJson(line);
        if (!isObject(event) || event.type !== "result") return undefined;
        usd = numberField(event, "total_cost_usd") ?? usd;
        if (event.is_error === true || event.subtype !== "success") problem = `the agent ended with ${event.subtype}`;
      }
      const prompt = problem === undefined ? prompts.shift() : undefined;
      if (prompt === undefined) return "end";
      return `${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`;
    },
  });
  if (ended.status !== 0) problem ??= `the agent ended with status ${ended.status}: ${ended.errors.trim().slice(-300)}`;
  return { usd, problem };
}

interface StartOptions {
  readonly folder: string;
  readonly terminal: Terminal;
  readonly shell?: boolean;
  /** What to write next: asked once at the start, then with each line of output. `end` closes the input. */
  readonly next?: (line: string | undefined) => string | "end" | undefined;
}

/** With the person's own environment: it is their account. A program that does not start is a status, too. */
function start(
  program: string,
  words: readonly string[],
  { folder, terminal, shell = false, next }: StartOptions,
): Promise<{ readonly status: number; readonly errors: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: folder, env: { ...terminal.environment }, shell });
    let errors = "";
    let rest = "";
    // Whoever ends early closes its input; the status says so.
    child.stdin.on("error", () => undefined);
    const write = (line: string | undefined): void => {
      const text = next ? next(line) : "end";
      if (text === "end") child.stdin.end();
      else if (text !== undefined) child.stdin.write(text);
    };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (next && line !== "") write(line);
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors = (errors + chunk).slice(-2000);
    });
    child.once("error", (error) => resolve({ status: 127, errors: error.message }));
    child.once("close", (code) => resolve({ status: code ?? 1, errors }));
    write(undefined);
  });
}

/** A task that the person wrote down: what the agent is told, one prompt after the other, and how its work is checked. */
export interface Task {
  readonly name: string;
  /** The folder that each run gets a copy of. */
  readonly folder: string;
  readonly prompts: readonly string[];
  /** A shell command in the copy, after the last prompt; status 0 means passed. Empty for none. */
  readonly check: string;
}

export interface TaskFile {
  readonly tasks: readonly Task[];
  /** Further arguments for the client, the same in every run. */
  readonly args: readonly string[];
}

const EXAMPLE = '{ "tasks": [{ "name": "login", "prompts": ["Fix the login."], "check": "npm test" }] }';

/** Everything that is wrong is said before anything is spent. Folders are relative to the file. */
export function readTasks(given: string, { directory }: Pick<Terminal, "directory">): TaskFile {
  const file = path.resolve(directory, given);
  const value = parseJson(readText(file, given));
  const wrong = (what: string): CliError => new CliError(`${given}: ${what}. An example: ${EXAMPLE}`);
  if (!isObject(value) || !Array.isArray(value.tasks)) throw wrong('there is no list "tasks"');
  if (value.tasks.length === 0) throw wrong('the list "tasks" is empty');
  const args = listTexts(value.args ?? []);
  if (args === undefined) throw wrong('"args" must be a list of texts');
  const tasks = value.tasks.map((entry, index): Task => {
    const at = `task ${index + 1}`;
    if (!isObject(entry)) throw wrong(`${at} is not an object`);
    const { name, check = "", folder = "." } = entry;
    const prompts = listTexts(entry.prompts ?? null);
    if (typeof name !== "string" || name.trim() === "") throw wrong(`${at} has no "name"`);
    if (prompts === undefined || prompts.length === 0) throw wrong(`${at} has no list "prompts"`);
    if (typeof check !== "string") throw wrong(`"check" of ${at} must be a shell command`);
    if (typeof folder !== "string") throw wrong(`"folder" of ${at} must be a path`);
    const place = path.resolve(path.dirname(file), folder);
    if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
      throw wrong(`the folder ${folder} of ${at} does not exist`);
    return { name: name.trim(), folder: place, prompts, check };
  });
  const names = new Set(tasks.map(({ name }) => name));
  if (names.size < tasks.length) throw wrong("two tasks have the same name");
  return { tasks, args };
}

function readText(file: string, given: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new CliError(`cannot read the tasks in ${given}. Write them as ${EXAMPLE}`);
  }
}

function listTexts(value: Json): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((text) => typeof text === "string");
  return texts.length === value.length ? texts : undefined;
}
