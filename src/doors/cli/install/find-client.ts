import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { CliError, type Option, type Terminal } from "../command.ts";
import { parseVersion } from "./client-version.ts";

export const CLIENT_OPTION: Option = {
  name: "client",
  value: "PATH",
  help: "the path of the client's program, if it is neither on PATH nor in a usual place",
};

export interface Client {
  readonly path: string;
  /** `undefined` where it does not say. */
  readonly version: string | undefined;
}

const VERSION_TIMEOUT_MS = 20_000;

/** The client that a session would be started with. */
export function findClient(given: string | undefined, terminal: Terminal): Promise<Client | undefined> {
  return findProgram("claude", given, terminal);
}

/** A client's program by its name, or where the person says that it is. */
export async function findProgram(
  name: string,
  given: string | undefined,
  terminal: Terminal,
): Promise<Client | undefined> {
  const file = given === undefined ? listPlaces(name, terminal).find(isFile) : path.resolve(terminal.directory, given);
  if (file === undefined) return undefined;
  if (!isFile(file)) throw new CliError(`there is no program ${given}: pass the path of ${name} itself with --client`);
  const { output } = await runProgram(file, ["--version"], { terminal, timeoutMs: VERSION_TIMEOUT_MS });
  return { path: file, version: parseVersion(output) };
}

function listPlaces(name: string, { environment }: Terminal): readonly string[] {
  const home = environment.HOME || environment.USERPROFILE || homedir();
  const names = process.platform === "win32" ? [`${name}.exe`, name] : [name];
  return [
    ...(environment.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
    path.join(home, ".local", "bin"),
    path.join(home, ".claude", "local"),
  ].flatMap((folder) => names.map((file) => path.join(folder, file)));
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

export interface ProgramRun {
  readonly isDone: boolean;
  /** Both streams, because clients differ in which one they speak on. */
  readonly output: string;
}

/** Runs a program with nothing but the person's own environment; failing is an answer, not an error. */
export function runProgram(
  file: string,
  words: readonly string[],
  { terminal, timeoutMs }: { readonly terminal: Terminal; readonly timeoutMs: number },
): Promise<ProgramRun> {
  return new Promise((resolve) => {
    const options = { env: { ...terminal.environment }, cwd: existingFolder(terminal.directory), timeout: timeoutMs };
    const child = execFile(file, words, options, (error, stdout, stderr) => {
      resolve({ isDone: error === null, output: `${stdout}${stderr}`.trim() || (error?.message ?? "") });
    });
    child.stdin?.end();
  });
}

function existingFolder(directory: string): string {
  return existsSync(directory) ? directory : path.parse(directory).root;
}
