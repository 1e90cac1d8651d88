import type { ScannedFile } from "../../recorded/join-scans.ts";
import { type LookedAround, lookAround } from "../person/look-around.ts";
import { type ReplayState, startReplay } from "../person/start-replay.ts";
import type { Terminal } from "./command.ts";

export interface CollectedLookBack extends Omit<LookedAround, "findReplayed"> {
  readonly replay: ReplayState;
}

export function collectLookBack(scanned: readonly ScannedFile[], terminal: Terminal): CollectedLookBack {
  const { findReplayed: _, ...around } = lookAround(scanned, terminal);
  const newestMs = scanned.reduce((newest, { file }) => Math.max(newest, file.modifiedMs), 0);
  const replay: ReplayState = around.look ? startReplay(terminal, newestMs, isWatched(terminal)) : { status: "none" };
  return { ...around, replay };
}

/** A script is not left with a process that it did not ask for. */
function isWatched({ isInteractive, isTerminal, hosts }: Terminal): boolean {
  return isInteractive && isTerminal && hosts === undefined;
}
