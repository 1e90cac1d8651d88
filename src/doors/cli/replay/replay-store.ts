import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../../../core/json.ts";
import type { FoundFile } from "../../../files/list-files.ts";
import { locateHome } from "../../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../../hosts/host.ts";
import { keepOwnFile } from "../../../recorded/own-data.ts";
import type { SessionCheck } from "../../../replay/check-dollars.ts";
import type { Walk } from "../../../replay/outcome.ts";
import type { Terminal } from "../command.ts";
import type { FileAnswer } from "./replay-file.ts";
import { locateWorker } from "./replay-threads.ts";

/** Results for a file that has not changed since this same program replayed it. */
export interface RememberedReplay {
  readonly steps: number;
  readonly windowTokens: number;
  readonly firstRequest: string;
  /** Why it cannot be replayed under any policy; empty if it can. */
  readonly why: string;
  readonly check: SessionCheck | undefined;
  /** By policy, marks and module. */
  readonly walks: Readonly<Record<string, Walk>>;
}

export interface ReplayStore {
  find(file: TranscriptFile): RememberedReplay | undefined;
  put(file: TranscriptFile, remembered: RememberedReplay): void;
}

interface StoredFile extends RememberedReplay, FoundFile {
  readonly format: typeof FORMAT;
  readonly program: string;
}

const FORMAT = 2;
/** A file may be written twice within the same tick of its file time. */
const SETTLED_MS = 2000;

const FORGETFUL: ReplayStore = { find: () => undefined, put: () => undefined };

/**
 * One file per session, written as soon as the session is done, so that an interrupted run can continue. It is only a cache: an
 * unreadable file is replayed again, and a failed write is ignored. Programs are told apart by their bytes, not their version: a
 * figure must never come from other code than the one that prints it.
 */
export function openReplayStore(terminal: Terminal): ReplayStore {
  const worker = locateWorker();
  if (worker === undefined) return FORGETFUL;
  const program = digest(readFileSync(worker));
  const folder = path.join(locateHome(terminal.environment), "data", "plimsoll", "replay");
  const place = (file: TranscriptFile): string => path.join(folder, `${digest(path.resolve(file.path))}.json`);
  return {
    find(file) {
      try {
        const stored: unknown = JSON.parse(readFileSync(place(file), "utf8"));
        return isStored(stored) && isOf(stored, file, program) ? stored : undefined;
      } catch {
        return undefined;
      }
    },
    put(file, remembered) {
      if (terminal.nowMs() - file.modifiedMs < SETTLED_MS) return;
      const { bytes, modifiedMs } = file;
      const stored: StoredFile = {
        format: FORMAT,
        program,
        path: path.resolve(file.path),
        bytes,
        modifiedMs,
        ...remembered,
      };
      keepOwnFile(place(file), JSON.stringify(stored));
    },
  };
}

const UNKNOWN: RememberedReplay = { steps: 0, windowTokens: 0, firstRequest: "", why: "", check: undefined, walks: {} };

/** What to keep of a result, joined with what was known before. Failures are not kept, so that the next run tries again. */
export function remember(
  answer: FileAnswer,
  before: RememberedReplay | undefined,
  nameKey: (policy: string) => string,
): RememberedReplay | undefined {
  if (answer.kind === "failed") return undefined;
  if (answer.kind === "leftOut") return { ...UNKNOWN, why: answer.why };
  const fresh = Object.entries(answer.walks).map(([policy, walk]) => [nameKey(policy), walk]);
  const { steps, windowTokens, firstRequest, check } = answer;
  const walks = { ...before?.walks, ...Object.fromEntries(fresh) };
  return { steps, windowTokens, firstRequest, why: "", check, walks };
}

function isOf(stored: StoredFile, file: TranscriptFile, program: string): boolean {
  return (
    stored.program === program &&
    stored.path === path.resolve(file.path) &&
    stored.bytes === file.bytes &&
    stored.modifiedMs === file.modifiedMs
  );
}

function isStored(value: unknown): value is StoredFile {
  return (
    isObject(value) &&
    value.format === FORMAT &&
    typeof value.steps === "number" &&
    typeof value.windowTokens === "number" &&
    typeof value.firstRequest === "string" &&
    typeof value.why === "string" &&
    isObject(value.walks)
  );
}

function digest(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}
