import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Play } from "../client/play.ts";

const PROGRAM = join(import.meta.dirname, "../../dist/plimsoll.cjs");

/** What the built program prints for the person of a session, in their project. */
export async function runProgram({ workspace: { home, cwd } }: Play, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? "", HOME: home, NO_COLOR: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd, env });
  return stdout;
}
