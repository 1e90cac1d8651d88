import { readFileSync, statSync } from "node:fs";
import { renderFailure } from "../../core/render-failure.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { findLastReplay } from "../../recorded/last-replay.ts";
import { parseAnswer } from "../../replay/parse-answer.ts";
import { readLastReplay } from "../person/read-last-replay.ts";
import { type ReplayState, startReplay } from "../person/start-replay.ts";
import type { ReplayStatus, WhatIf } from "./wire.ts";

/** The files of the last days; listed only when a check is due. */
type RecordedFiles = () => readonly Pick<TranscriptFile, "bytes" | "modifiedMs">[];

interface ReplayWatchOptions extends IndexSurroundings {
  clockMs(): number;
  /** Whether the sessions are the person's own: only for those an answer is kept. */
  readonly isOwn: boolean;
}

const PAUSE_MS = 1000;

/** The progress of the background replay, which is started once while a person looks. If it dies it is not restarted. */
export function watchReplay(options: ReplayWatchOptions) {
  let state: ReplayState = { status: "none" };
  let stamp = 0;
  let hasAnswer = false;
  let hasStarted = false;
  let nextMs = 0;
  return {
    /** Checks again if due. Returns whether the answer changed. */
    look(files: RecordedFiles, mayStart: boolean): boolean {
      if (!options.isOwn || options.clockMs() < nextMs) return false;
      nextMs = options.clockMs() + PAUSE_MS;
      const before = stamp;
      const last = findLastReplay(options.environment);
      stamp = last === undefined ? 0 : (statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (stamp !== before) hasAnswer = readLastReplay(options.environment) !== undefined;
      state = startReplay(options, files(), { isWatched: mayStart && !hasStarted, hasAnswer });
      hasStarted ||= state.status === "started";
      return stamp !== before;
    },
    state: (): ReplayState => state,
    status: (): ReplayStatus => ({
      isRunning: state.status === "running" || state.status === "started",
      share: state.status === "running" ? state.share : 0,
    }),
  };
}

/** The view gets replays only through here: the answer of `plimsoll replay --json`, stored in a file. */
export function readWhatIf(file: string | undefined): WhatIf {
  const none = (why: string): WhatIf => ({ status: "none", why, command: "plimsoll replay" });
  if (file === undefined) return none("Your sessions have not been replayed yet.");
  try {
    const answer = parseAnswer(readFileSync(file, "utf8"));
    if (!answer || answer.policies.length === 0) return none("The saved replay contains no totals for any policy.");
    const { cacheLives: _, sessions: __, shortSessions: ___, ...shown } = answer;
    return { status: "replayed", ...shown };
  } catch (error) {
    return none(`The saved replay cannot be read: ${renderFailure(error)}.`);
  }
}
