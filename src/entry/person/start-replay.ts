import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { TranscriptFile } from "../../hosts/host.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { findLastReplay, keepReplayProgress, readReplayProgress } from "../../recorded/last-replay.ts";

/** More recordings than these are replayed only when the person asks: about 25 s of processor time on two busy cores. */
const CHEAP_BYTES = 60e6;

/** Whether replaying what was recorded since the last answer takes seconds; without an answer, everything. */
export function isReplayCheap(files: readonly Recorded[], answeredMs: number | undefined): boolean {
  const due = files.filter(({ modifiedMs }) => modifiedMs >= (answeredMs ?? 0));
  return due.reduce((sum, { bytes }) => sum + bytes, 0) <= CHEAP_BYTES;
}

type Recorded = Pick<TranscriptFile, "bytes" | "modifiedMs">;

/** A result up to a day old is good enough to show. */
const FRESH_MS = 86_400_000;

export type ReplayState =
  /** Never done, and not running. */
  | { readonly status: "none" }
  | { readonly status: "started"; readonly processId: number }
  | { readonly status: "running"; readonly processId: number; readonly share: number }
  | { readonly status: "done" }
  /** There is an answer, but newer sessions are not in it: it is not a day old yet, or too much was recorded to replay it without being asked. */
  | { readonly status: "old" };

/**
 * Replays the person's own sessions in a separate process at the lowest priority, if the last replay is older than a day and
 * something was recorded since, and that takes seconds. Only while a person looks at the terminal or the page. Without `hasAnswer` the
 * last one cannot be read.
 */
export function startReplay(
  { environment, ...clock }: IndexSurroundings,
  files: readonly Recorded[],
  { isWatched, hasAnswer }: { readonly isWatched: boolean; readonly hasAnswer: boolean },
): ReplayState {
  const nowMs = clock.nowMs();
  const running = readReplayProgress(environment, nowMs);
  if (running) return { status: "running", processId: running.processId, share: running.share };
  const last = hasAnswer ? findLastReplay(environment) : undefined;
  const lastMs = last === undefined ? 0 : (statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const newestMs = files.reduce((newest, { modifiedMs }) => Math.max(newest, modifiedMs), 0);
  // What was recorded in the same tick of the file system's clock may not be in the answer.
  if (last !== undefined && lastMs > newestMs) return { status: "done" };
  if (last !== undefined && nowMs - lastMs < FRESH_MS) return { status: "old" };
  const isRefused = environment.PLIMSOLL_BACKGROUND === "0" || environment.PLIMSOLL_OFF || environment.CI;
  const isCheap = isReplayCheap(files, last === undefined ? undefined : lastMs);
  const processId = isWatched && !isRefused && isCheap ? spawnReplay(environment) : undefined;
  if (processId === undefined) return { status: last === undefined ? "none" : "old" };
  keepReplayProgress(environment, { processId, share: 0, atMs: nowMs });
  return { status: "started", processId };
}

/** Absent if the program runs from its sources. A failure to start is ignored. */
function spawnReplay(environment: IndexSurroundings["environment"]): number | undefined {
  const program = fileURLToPath(new URL("./plimsoll.cjs", import.meta.url));
  if (!existsSync(program)) return undefined;
  const words = [program, "replay", "--json"];
  const child = spawn(process.execPath, words, { detached: true, stdio: "ignore", env: { ...environment } });
  child.once("error", () => undefined);
  child.unref();
  if (child.pid === undefined) return undefined;
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // If the priority cannot be set, it runs with the normal one.
  }
  return child.pid;
}
