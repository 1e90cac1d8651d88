import path from "node:path";
import { isObject } from "../../../core/json.ts";
import { errorCode } from "../../../core/render-failure.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { withLock } from "../../../files/with-lock.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import type { Instrument } from "../../../survive/restore/name-dropped.ts";
import { initialRestoreState, isRestoring, type RestoreState } from "../../../survive/restore/step-restore.ts";

/** A file of another layout is ignored. */
const FORMAT = 2;

/** Content of `pending.json`: the restore, and where in the transcript its effects are to be looked for. */
export interface RestoreFile {
  readonly format: typeof FORMAT;
  readonly restore: RestoreState;
  /** Size of the transcript when the compaction was asked for; its effects come after. */
  readonly askedSize: number;
  /** Instruction files and skills that were in the window. */
  readonly instruments: readonly Instrument[];
  /** Whether they and the folded outputs were compared with the window after the compaction. */
  readonly isCompared: boolean;
}

const emptyRestoreFile: RestoreFile = {
  format: FORMAT,
  restore: initialRestoreState,
  askedSize: 0,
  instruments: [],
  isCompared: true,
};

export function readRestoreFile(folder: string): RestoreFile {
  const saved: unknown = readObject(path.join(folder, SESSION_FILES.pending));
  return isRestoreFile(saved) ? saved : emptyRestoreFile;
}

/** A compaction that has not happened by then has failed, and tool calls stop looking for it. */
const MAX_WAIT_MS = 10 * 60_000;

/** Whether an event has anything to do here: asked at every tool call, so it reads one small file and no transcript. */
export function isPending({ restore, isCompared }: RestoreFile, nowMs: number): boolean {
  const isOpen = isRestoring(restore) || !isCompared;
  const hasEnded = restore.stage === "done" || restore.stage === "settled";
  return isOpen && (hasEnded || nowMs - restore.askedAtMs < MAX_WAIT_MS);
}

export interface FileStep<Value> {
  readonly file: RestoreFile;
  readonly value: Value;
}

/** Reads, decides and writes under a lock, since tools run in parallel and two of them would inject the same twice. `undefined` without the lock. */
export function followRestore<Value>(
  folder: string,
  follow: (file: RestoreFile) => FileStep<Value>,
): Value | undefined {
  const lock = path.join(folder, "pending.lock");
  try {
    return withLock(
      lock,
      () => {
        const before = readRestoreFile(folder);
        const { file, value } = follow(before);
        if (file !== before) writeAtomically(path.join(folder, SESSION_FILES.pending), JSON.stringify(file));
        return value;
      },
      { waitMs: 300 },
    );
  } catch (error) {
    if (errorCode(error) === "locked") return undefined;
    throw error;
  }
}

/** Our own file in a private folder. */
function isRestoreFile(value: unknown): value is RestoreFile {
  return (
    isObject(value) &&
    value.format === FORMAT &&
    isObject(value.restore) &&
    Array.isArray(value.restore.lost) &&
    typeof value.askedSize === "number" &&
    Array.isArray(value.instruments)
  );
}
