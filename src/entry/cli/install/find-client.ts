import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { absoluteFolders } from "../../../files/absolute-folders.ts";
import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";
import { CliError, type Options, type Terminal } from "../command.ts";

export const CLIENT_OPTION: Options = {
  program: {
    value: "PATH",
    help: "the path of the agent's program, if it is neither on PATH nor in a usual place",
    formerly: { names: ["client"] },
  },
};

export interface Client {
  readonly path: string;
  readonly version: string | undefined;
}

const VERSION_TIMEOUT_MS = 20_000;

/** A client's program, by its name or the place that the person gives. */
export async function findProgram(
  name: string,
  given: string | undefined,
  terminal: Terminal,
): Promise<Client | undefined> {
  const file = given === undefined ? listPlaces(name, terminal).find(isFile) : path.resolve(terminal.directory, given);
  if (file === undefined) return undefined;
  if (!isFile(file)) throw new CliError(`there is no program ${given}: pass the path of ${name} itself with --program`);
  const { output } = await runProgram(file, ["--version"], { terminal, timeoutMs: VERSION_TIMEOUT_MS });
  return { path: file, version: parseVersion(output) };
}

function listPlaces(name: string, { environment }: Terminal): readonly string[] {
  const home = environment.HOME || environment.USERPROFILE || homedir();
  const names = process.platform === "win32" ? [`${name}.exe`, name] : [name];
  return [
    ...absoluteFolders(environment),
    path.join(home, ".local", "bin"),
    path.join(home, ".claude", "local"),
  ].flatMap((folder) => names.map((file) => path.join(folder, file)));
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

/** Runs a program with the person's own environment only. A failure is a result, not an error. Clients differ in which stream they write to, so the output is both. */
export function runProgram(
  file: string,
  words: readonly string[],
  { terminal, timeoutMs }: { readonly terminal: Terminal; readonly timeoutMs: number },
): Promise<{ readonly isDone: boolean; readonly output: string }> {
  const { environment, directory } = terminal;
  return new Promise((resolve) => {
    const cwd = existsSync(directory) ? directory : path.parse(directory).root;
    const options = { env: { ...environment }, cwd, timeout: timeoutMs };
    const child = execFile(file, words, options, (error, stdout, stderr) => {
      resolve({ isDone: error === null, output: `${stdout}${stderr}`.trim() || (error?.message ?? "") });
    });
    child.stdin?.end();
  });
}

/** Features of the client by version. The numbers are from its changelog, those of modules from runs of the client itself. */

export const FIRST_WITH_MODULES = "2.1.305";
/** Plugins came with 2.0.12. Ours starts its program without a shell (`args`), and a client that does not know `args` silently drops such hooks. */
export const FIRST_WITH_OUR_PLUGINS = "2.1.139";
export const FIRST_WITH_STATUS_LINE = "1.0.71";
export const FIRST_WITH_HOOKS = "1.0.38";

/** Before this version an unknown event makes the client ignore the whole settings file. */
const FIRST_TO_PASS_OVER_EVENTS = "2.1.101";

const FIRST_WITH_EVENT: Readonly<Record<string, string>> = {
  PreToolUse: "1.0.38",
  PostToolUse: "1.0.38",
  Notification: "1.0.38",
  Stop: "1.0.38",
  SubagentStop: "1.0.41",
  PreCompact: "1.0.48",
  UserPromptSubmit: "1.0.54",
  SessionStart: "1.0.62",
  SessionEnd: "1.0.85",
  PostCompact: "2.1.76",
};

/** `2.1.325` from `2.1.325 (Claude Code)`; `undefined` if there is no version. */
export function parseVersion(text: string): string | undefined {
  return /\b(\d+\.\d+\.\d+)\b/.exec(text)?.[1];
}

export function hasModules(version: string): boolean {
  return isVersionAtLeast(version, FIRST_WITH_MODULES);
}

export function knowsEvent(version: string, event: string): boolean {
  return isVersionAtLeast(version, FIRST_WITH_EVENT[event] ?? FIRST_TO_PASS_OVER_EVENTS);
}
