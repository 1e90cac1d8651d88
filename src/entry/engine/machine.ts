import {
  createSessionStore,
  type SessionStore,
  type SessionStorePlace,
} from "../../files/artifacts/create-session-store.ts";
import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { readTail } from "../../files/read-tail.ts";
import type { ProjectStore } from "../../files/save-project-state.ts";

/** What a session uses of the machine that it runs on. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  readonly files: ProjectStore;
  /** At most so many bytes of the end of a file, as text. */
  readEnd(file: string, maxBytes: number): string;
  createSessionStore(place: SessionStorePlace, nowMs: () => number): SessionStore;
}

export const THIS_MACHINE: Machine = {
  env: process.env,
  nowMs: () => Date.now(),
  files: nodeProjectFiles,
  readEnd: (file, maxBytes) => readTail(file, maxBytes).bytes.toString(),
  createSessionStore,
};
