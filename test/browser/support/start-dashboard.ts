import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const PROGRAM = path.resolve(import.meta.dirname, "../../../dist/plimsoll.cjs");

export interface RunningDashboard {
  readonly url: string;
  readonly port: number;
  /** Milliseconds from the start of the process to the address. */
  readonly startMs: number;
  /** The most memory it has held so far. */
  peakMegabytes(): number;
  stop(): Promise<number | null>;
}

/** The built program in a home of its own; whoever starts it ends it. */
export async function startDashboard(
  home: string,
  words: readonly string[] = [],
  variables: Readonly<Record<string, string>> = { PLIMSOLL_BACKGROUND: "0" },
): Promise<RunningDashboard> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run npm run build`);
  const beganMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "dashboard", "--json", ...words], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async (): Promise<number | null> => {
    if (child.exitCode !== null) return child.exitCode;
    const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    return gone;
  };
  const { url, port } = await hearAddress(child);
  const startMs = performance.now() - beganMs;
  const peakMegabytes = (): number => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  };
  return { url, port, startMs, peakMegabytes, stop };
}

function hearAddress(child: ChildProcess): Promise<{ readonly url: string; readonly port: number }> {
  return new Promise((resolve, reject) => {
    let heard = "";
    child.once("exit", (code) => reject(new Error(`the dashboard ended with ${code}`)));
    child.stdout?.on("data", (bytes: Buffer) => {
      heard += bytes.toString("utf8");
      if (heard.trimEnd().endsWith("}")) resolve(JSON.parse(heard));
    });
  });
}
