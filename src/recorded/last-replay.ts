import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { numberField } from "../core/json.ts";
import { readObject } from "../files/read-regular-file.ts";
import type { Environment } from "../hosts/host.ts";
import { keepOwnFile, locateOwnData } from "./own-data.ts";

function locate(environment: Environment, name: "last-replay.json" | "replay-progress.json"): string {
  return path.join(locateOwnData(environment), name);
}

/** Stores the result of the newest replay of the user's own sessions for the page. */
export function keepLastReplay(environment: Environment, answer: string): void {
  keepOwnFile(locate(environment, "last-replay.json"), answer);
}

export function findLastReplay(environment: Environment): string | undefined {
  const file = locate(environment, "last-replay.json");
  return existsSync(file) ? file : undefined;
}

/** Progress of a replay of the user's own sessions, for another terminal or the page. */
type ReplayProgress = Readonly<Record<"processId" | "share" | "atMs", number>>;

/** A replay that has been silent for so long is stuck or was ended, and its process id may belong to another process. */
const SILENT_MS = 10 * 60_000;

/** `undefined` if no replay is running. */
export function readReplayProgress(environment: Environment, nowMs: number): ReplayProgress | undefined {
  const read = readObject(locate(environment, "replay-progress.json")) ?? {};
  const [processId, share, atMs] = ["processId", "share", "atMs"].map((field) => numberField(read, field));
  if (processId === undefined || share === undefined || atMs === undefined) return undefined;
  return nowMs - atMs < SILENT_MS && isAlive(processId) ? { processId, share, atMs } : undefined;
}

export function keepReplayProgress(environment: Environment, progress: ReplayProgress): void {
  keepOwnFile(locate(environment, "replay-progress.json"), JSON.stringify(progress));
}

export function dropReplayProgress(environment: Environment): void {
  rmSync(locate(environment, "replay-progress.json"), { force: true });
}

/** Signal 0 only tests whether the process exists. */
function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
