import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { isObject, numberField } from "../core/json.ts";
import { keepOwnFile, locateOwnData } from "./own-data.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How far a replay of the person's own sessions is, for whoever looks at another terminal or at the page. */
export interface ReplayProgress {
  readonly processId: number;
  readonly share: number;
  readonly atMs: number;
}

/** A replay that has said nothing for so long is stuck or was ended: its process id may be somebody else's by now. */
const SILENT_MS = 10 * 60_000;

function locate(environment: Environment): string {
  return path.join(locateOwnData(environment), "replay-progress.json");
}

/** `undefined` where no replay is running. */
export function readReplayProgress(environment: Environment, nowMs: number): ReplayProgress | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(locate(environment), "utf8"));
    if (!isObject(read)) return undefined;
    const [processId, share, atMs] = ["processId", "share", "atMs"].map((field) => numberField(read, field));
    if (processId === undefined || share === undefined || atMs === undefined) return undefined;
    return nowMs - atMs < SILENT_MS && isAlive(processId) ? { processId, share, atMs } : undefined;
  } catch {
    return undefined;
  }
}

export function keepReplayProgress(environment: Environment, progress: ReplayProgress): void {
  keepOwnFile(locate(environment), JSON.stringify(progress));
}

export function dropReplayProgress(environment: Environment): void {
  rmSync(locate(environment), { force: true });
}

/** Signal 0 asks and does nothing. */
function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
