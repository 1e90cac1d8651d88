import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** Far beyond what a busy machine takes: whoever is not done by then hangs. */
const HANGS_MS = 200_000;

const ROOT = path.resolve(import.meta.dirname, "../..");

/** What a run of the built program left behind. */
export interface Run {
  readonly exitCode: number | null;
  readonly output: string;
  readonly remarks: string;
  /** The most memory it held at once. */
  readonly peakMegabytes: number;
  readonly isTimedOut: boolean;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Closes the pipe that the output goes into before anything has come, as a reader does that has gone. */
  readonly closesOutput?: boolean;
}

/** The program as `npm run build` left it and `package.json` names it. */
function locateProgram(): string {
  const { bin } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const program = path.join(ROOT, bin.plimsoll);
  if (!existsSync(program)) throw new Error(`${program} is missing: run npm run build, as npm test does`);
  return program;
}

/** Runs the built program, or another one, as a process of its own, in a narrow heap, and watches its memory. */
export function createRunner(
  program: string = locateProgram(),
): (words: readonly string[], options?: RunOptions) => Promise<Run> {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-run-"));
  const watch = path.join(folder, "watch.cjs");
  writeFileSync(
    watch,
    `const { isMainThread } = require("node:worker_threads");
    const tell = () => require("node:fs").writeSync(3, String(process.resourceUsage().maxRSS));
    if (isMainThread) process.on("exit", tell);`,
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (words, options = {}) => {
    const nodeWords = ["--max-old-space-size=512", "--require", watch, program, ...words];
    const child = spawn(process.execPath, nodeWords, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8", ...options.environment },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    return watchRun(child, options);
  };
}

function watchRun(child: ChildProcess, { timeoutMs = HANGS_MS, closesOutput = false }: RunOptions): Promise<Run> {
  const heard = ["", "", "", ""];
  for (const [index, pipe] of child.stdio.entries()) {
    if (!pipe || !("on" in pipe)) continue;
    pipe.on("data", (bytes: Buffer) => {
      heard[index] += bytes.toString("utf8");
    });
  }
  if (closesOutput) child.stdout?.destroy();
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(timer);
      const [, output = "", remarks = "", kilobytes = ""] = heard;
      resolve({ exitCode, output, remarks, peakMegabytes: Number(kilobytes) / 1024, isTimedOut });
    });
  });
}
