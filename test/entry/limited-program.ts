import { spawn } from "node:child_process";
import path from "node:path";
import { expect } from "vitest";
import { atEnd } from "../gateway/open-gateway.ts";
import type { Program } from "../gateway/program.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../../dist/plimsoll.cjs");

/** The built program under a limit of the shell, such as `ulimit -n 64`; it ends with the test. */
export function startLimited(
  limit: string,
  words: readonly string[],
  home: string,
  nodeOptions: readonly string[] = [],
): Program {
  const env = { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
  const command = [process.execPath, ...nodeOptions, PROGRAM, ...words];
  const child = spawn("/bin/sh", ["-c", `${limit}; exec "$@"`, "sh", ...command], { env, cwd: home });
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

/** What a server prints once it listens. */
export async function hearJson({ heard }: Program): Promise<{ readonly url: string; readonly port: number }> {
  await expect.poll(() => heard.output).toContain("}");
  return JSON.parse(heard.output);
}
