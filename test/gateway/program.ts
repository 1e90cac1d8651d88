import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { atEnd, createFolder } from "./open-gateway.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../dist/plimsoll.cjs");

export interface Program {
  readonly child: ChildProcess;
  /** What it has printed, and what it has said next to that. */
  readonly heard: { output: string; remarks: string };
  /** Exit status or signal. */
  readonly ended: Promise<number | string>;
}

/** The built program with these words; it ends with the test. */
export function startProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  file: string = PROGRAM,
  through: readonly string[] = [],
): Program {
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build, as npm test does`);
  const home = createFolder();
  const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", ...environment };
  const [command = process.execPath, ...more] = [...through, process.execPath, file, ...words];
  const child = spawn(command, more, { env, cwd: home });
  const heard = { output: "", remarks: "" };
  child.stdout.on("data", (bytes) => {
    heard.output += String(bytes);
  });
  child.stderr.on("data", (bytes) => {
    heard.remarks += String(bytes);
  });
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? ""));
  });
  atEnd(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, heard, ended };
}

/** A gateway as a process of its own, once it listens; started through a command that becomes it where one is given. */
export async function startGatewayProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  through: readonly string[] = [],
): Promise<Program & { readonly url: string }> {
  const program = startProgram(["gateway", "--port", "0", "--json", ...words], environment, PROGRAM, through);
  const isOver = program.ended.then(() => true);
  while (!program.heard.output.includes("}")) {
    const pause = new Promise<false>((resolve) => setTimeout(() => resolve(false), 20));
    if (await Promise.race([isOver, pause])) throw new Error(`the gateway does not start: ${program.heard.remarks}`);
  }
  return { ...program, url: JSON.parse(program.heard.output).url };
}
