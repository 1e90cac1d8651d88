import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../../../core/json.ts";
import { sha256 } from "../../../core/sha256.ts";
import { locateHome } from "../../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../../hosts/host.ts";
import { keepOwnFile } from "../../../recorded/own-data.ts";
import type { Terminal } from "../command.ts";
import type { ReplayRequest } from "./collect-walks.ts";
import type { FileAnswer } from "./replay-file.ts";
import { locateWorker } from "./replay-threads.ts";

/** A result for a file that has not changed since this same program replayed it. */
export type RememberedReplay = Exclude<FileAnswer, { readonly kind: "failed" }>;

interface ReplayStore {
  find(file: TranscriptFile): RememberedReplay | undefined;
  put(file: TranscriptFile, remembered: RememberedReplay): void;
}

const FORMAT = 3;
/** A file may be written twice within the same tick of its file time. */
const SETTLED_MS = 2000;

/**
 * One file per session, written as soon as the session is done, so that an interrupted run can continue. It is only a cache: an
 * unreadable file is replayed again, and a failed write is ignored. Programs are told apart by their bytes, not their version: a
 * figure must never come from other code than the one that prints it; so nothing is remembered where a module adds policies.
 */
export function openReplayStore(
  { marks, module }: Pick<ReplayRequest, "marks" | "module">,
  terminal: Terminal,
): ReplayStore {
  const worker = locateWorker();
  if (worker === undefined || module !== undefined) return { find: () => undefined, put: () => undefined };
  const program = sha256(readFileSync(worker)).slice(0, 32);
  const folder = path.join(locateHome(terminal.environment), "data", "plimsoll", "replay");
  const place = (file: TranscriptFile): string =>
    path.join(folder, `${sha256(path.resolve(file.path)).slice(0, 32)}.json`);
  const identify = ({ path: name, bytes, modifiedMs }: TranscriptFile) => {
    return { format: FORMAT, program, marks, path: path.resolve(name), bytes, modifiedMs };
  };
  /** The program's hash vouches for the shape of what it wrote. */
  const isOf = (file: TranscriptFile, stored: unknown): stored is RememberedReplay =>
    isObject(stored) && Object.entries(identify(file)).every(([key, value]) => stored[key] === value);
  return {
    find(file) {
      try {
        const stored: unknown = JSON.parse(readFileSync(place(file), "utf8"));
        return isOf(file, stored) ? stored : undefined;
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
