import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { sha256 } from "../../../core/sha256.ts";
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

interface ReplayStore {
  find(file: TranscriptFile): RememberedReplay | undefined;
  put(file: TranscriptFile, remembered: RememberedReplay): void;
}

const FORMAT = 2;
/** A file may be written twice within the same tick of its file time. */
const SETTLED_MS = 2000;

/**
 * One file per session, written as soon as the session is done, so that an interrupted run can continue. It is only a cache: an
 * unreadable file is replayed again, and a failed write is ignored. Programs are told apart by their bytes, not their version: a
 * figure must never come from other code than the one that prints it.
 */
export function openReplayStore(terminal: Terminal): ReplayStore {
  const worker = locateWorker();
  if (worker === undefined) return { find: () => undefined, put: () => undefined };
  const program = sha256(readFileSync(worker)).slice(0, 32);
  const folder = path.join(locateHome(terminal.environment), "data", "plimsoll", "replay");
  const place = (file: TranscriptFile): string =>
    path.join(folder, `${sha256(path.resolve(file.path)).slice(0, 32)}.json`);
  const identify = ({ path: name, bytes, modifiedMs }: TranscriptFile) => {
    return { format: FORMAT, program, path: path.resolve(name), bytes, modifiedMs };
  };
  return {
    find(file) {
      try {
        const stored: unknown = JSON.parse(readFileSync(place(file), "utf8"));
        const isSame =
          isRemembered(stored) && Object.entries(identify(file)).every(([key, value]) => stored[key] === value);
        return isSame ? stored : undefined;
      } catch {
        return undefined;
      }
    },
    put(file, remembered) {
      if (terminal.nowMs() - file.modifiedMs < SETTLED_MS) return;
      keepOwnFile(place(file), JSON.stringify({ ...identify(file), ...remembered }));
    },
  };
}

/** What to keep of a result, joined with what was known before. Failures are not kept, so that the next run tries again. */
export function remember(
  answer: FileAnswer,
  before: RememberedReplay | undefined,
  nameKey: (policy: string) => string,
): RememberedReplay | undefined {
  if (answer.kind === "failed") return undefined;
  if (answer.kind === "leftOut")
    return { steps: 0, windowTokens: 0, firstRequest: "", why: answer.why, check: undefined, walks: {} };
  const fresh = Object.entries(answer.walks).map(([policy, walk]) => [nameKey(policy), walk]);
  const { steps, windowTokens, firstRequest, check } = answer;
  const walks = { ...before?.walks, ...Object.fromEntries(fresh) };
  return { steps, windowTokens, firstRequest, why: "", check, walks };
}

function isRemembered(value: unknown): value is RememberedReplay & JsonObject {
  return (
    isObject(value) &&
    typeof value.steps === "number" &&
    typeof value.windowTokens === "number" &&
    typeof value.firstRequest === "string" &&
    typeof value.why === "string" &&
    isObject(value.walks)
  );
}
