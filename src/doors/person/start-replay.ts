import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { findLastReplay, keepReplayProgress, readReplayProgress } from "../../recorded/last-replay.ts";
import { nameWithLife } from "../../replay/catalogue.ts";
import { SET_CACHE_LIVES } from "../../replay/prompt-cache.ts";
import { TOLD_POLICIES } from "../../replay/what-was-saved.ts";

/** The policies that the first screen and the page show; more take minutes and need `plimsoll replay`. */
const POLICIES = [
  TOLD_POLICIES.own,
  TOLD_POLICIES.foreseeing,
  "plimsoll:thrifty",
  "plimsoll:cautious",
  "clear_tool_uses",
  ...SET_CACHE_LIVES.map((life) => nameWithLife(TOLD_POLICIES.own, life)),
];
/** A result up to a day old is good enough to show. */
const FRESH_MS = 86_400_000;

export type ReplayState =
  /** Never done, and not running. */
  | { readonly status: "none" }
  | { readonly status: "started"; readonly processId: number }
  | { readonly status: "running"; readonly processId: number; readonly share: number }
  | { readonly status: "done" };

/**
 * Replays the person's own sessions in a separate process at the lowest priority, if the last replay is older than a day and
 * something was recorded since. Only while a person looks at the terminal or the page. Without `hasAnswer` the last one cannot be read.
 */
export function startReplay(
  { environment, ...clock }: IndexSurroundings,
  newestMs: number,
  { isWatched, hasAnswer }: { readonly isWatched: boolean; readonly hasAnswer: boolean },
): ReplayState {
  const nowMs = clock.nowMs();
  const running = readReplayProgress(environment, nowMs);
  if (running) return { status: "running", processId: running.processId, share: running.share };
  const last = hasAnswer ? findLastReplay(environment) : undefined;
  const lastMs = last === undefined ? 0 : (statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (last !== undefined && (lastMs >= newestMs || nowMs - lastMs < FRESH_MS)) return { status: "done" };
  const isRefused = environment.PLIMSOLL_BACKGROUND === "0" || environment.PLIMSOLL_OFF || environment.CI;
  const processId = isWatched && !isRefused ? spawnReplay(environment) : undefined;
  if (processId === undefined) return { status: last === undefined ? "none" : "done" };
  keepReplayProgress(environment, { processId, share: 0, atMs: nowMs });
  return { status: "started", processId };
}

/** Absent if the program runs from its sources. A failure to start is ignored. */
function spawnReplay(environment: IndexSurroundings["environment"]): number | undefined {
  const program = fileURLToPath(new URL("./plimsoll.cjs", import.meta.url));
  if (!existsSync(program)) return undefined;
  const words = [program, "replay", "--policies", POLICIES.join(","), "--json"];
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
