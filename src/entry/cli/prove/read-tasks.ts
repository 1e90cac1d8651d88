import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isObject, type Json, parseJson } from "../../../core/json.ts";
import { CliError, type Terminal } from "../command.ts";

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
