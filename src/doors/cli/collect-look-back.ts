import { listAll } from "../../hosts/catalogue.ts";
import { joinScans } from "../../recorded/join-scans.ts";
import type { ScanAttempt } from "../../recorded/try-scan.ts";
import { type LookedAround, lookAround } from "../person/look-around.ts";
import { type ReplayState, startReplay } from "../person/start-replay.ts";
import type { Terminal } from "./command.ts";
import { scanFiles } from "./scan-files.ts";

export interface CollectedLookBack extends Omit<LookedAround, "findReplayed"> {
  readonly replay: ReplayState;
}

/** @param known what has been read already, by its path */
export async function collectLookBack(
  terminal: Terminal,
  known: ReadonlyMap<string, ScanAttempt>,
): Promise<CollectedLookBack> {
  const files = listAll(terminal.environment, terminal.hosts).filter(({ bytes }) => bytes > 0);
  const { scanned } = joinScans(files, await scanFiles(files, terminal, known));
  const { findReplayed: _, ...around } = lookAround(scanned, terminal);
  const newestMs = files[0]?.modifiedMs ?? 0;
  const replay: ReplayState = around.look ? startReplay(terminal, newestMs, isWatched(terminal)) : { status: "none" };
  return { ...around, replay };
}

/** A script is not left with a process that it did not ask for. */
function isWatched({ isInteractive, isTerminal, hosts }: Terminal): boolean {
  return isInteractive && isTerminal && hosts === undefined;
}
