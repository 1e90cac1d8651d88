import { statSync } from "node:fs";
import path from "node:path";
import { renderCount } from "../../core/render-count.ts";
import { findHoldingFile } from "../../files/list-files.ts";
import { hostOf, listAll, listTranscripts, locateAll } from "../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { openUsageIndex } from "../../recorded/file-index.ts";
import { readHistory } from "../../recorded/history.ts";
import { type CollectedUsage, joinScans, type ScannedFile } from "../../recorded/join-scans.ts";
import { type LookedAround, lookAround } from "../person/look-around.ts";
import { readLastReplay } from "../person/read-last-replay.ts";
import { type ReplayState, startReplay } from "../person/start-replay.ts";
import { nameFolders } from "./choose-transcript.ts";
import { CliError, EXIT_NOTHING_FOUND, type Terminal } from "./command.ts";
import { locateSample } from "./read-recent.ts";
import { scanFiles } from "./scan-files.ts";

/** The full paths of files and folders that exist. */
export function requireRoots(given: readonly string[], { directory }: Terminal): readonly string[] {
  return given.map((name) => {
    const root = path.resolve(directory, name);
    const status = statSync(findHoldingFile(root), { throwIfNoEntry: false });
    if (!status) throw new CliError(`there is no file or folder ${name}`);
    // Reading a pipe would wait forever.
    if (!status.isFile() && !status.isDirectory()) throw new CliError(`${name} is neither a file nor a folder`);
    return root;
  });
}

/** The transcripts below the given paths, or all that the clients keep. */
export function findTranscripts(given: readonly string[], terminal: Terminal): readonly TranscriptFile[] {
  const { environment, hosts } = terminal;
  const roots = requireRoots(given, terminal);
  const found = given.length > 0 ? roots.flatMap((root) => listTranscripts(root, hosts)) : listAll(environment, hosts);
  // A file and its folder may both be given.
  const files = [...new Map(found.map((file) => [file.path, file])).values()];
  if (files.length > 0) return files;
  const places = nameFolders(given.length > 0 ? roots : locateAll(environment, hosts));
  const sample = given.length > 0 ? "" : `. The sample that comes with Plimsoll is in ${path.dirname(locateSample())}`;
  const why = `no recorded sessions in ${places}: pass another folder, or .jsonl files${sample}`;
  throw new CliError(why, EXIT_NOTHING_FOUND);
}

/** Scans all files. A step that occurs in several files counts for the first. */
export async function collectUsage(files: readonly TranscriptFile[], terminal: Terminal): Promise<CollectedUsage> {
  const collected = joinScans(files, await scanFiles(files, terminal));
  const [first] = collected.unreadable;
  if (collected.scanned.length === 0 && first) throw new CliError(`cannot read ${first.path}: ${first.why}`);
  return collected;
}

/** Scans the given paths; without any, all that the clients keep, and adds what is kept of files that are gone and of other machines. */
export async function collectRecorded(given: readonly string[], terminal: Terminal): Promise<CollectedUsage> {
  if (given.length > 0) return collectUsage(findTranscripts(given, terminal), terminal);
  const collected = await collectHome(terminal);
  if (collected.scanned.length === 0) await collectUsage(findTranscripts(given, terminal), terminal);
  return collected;
}

/** All that the clients keep and kept; empty if that is nothing. */
export async function collectHome(terminal: Terminal): Promise<CollectedUsage> {
  const { environment, hosts } = terminal;
  const files = listAll(environment, hosts).filter(({ bytes }) => bytes > 0);
  const scans = await scanFiles(files, terminal, new Map(), openUsageIndex(terminal));
  // Scanning files is what notices that others are gone.
  return joinScans(files, scans, readHistory(environment));
}

/** Refuses files in which no request was recorded: a sentence says more than an empty table. */
export function requireRequests(scanned: readonly ScannedFile[]): void {
  if (scanned.some(({ steps }) => steps.length > 0)) return;
  const lines = scanned.reduce((sum, file) => sum + file.lines.read + file.lines.notAboutUsage, 0);
  const [only, ...others] = scanned;
  const where = only && others.length === 0 ? only.file.path : renderCount(scanned.length, "file");
  const silent = scanned.map(({ file }) => hostOf(file.path)).find(({ recordsUsage }) => recordsUsage === false);
  const why = silent ? `: ${silent.title} does not record what a request cost` : "";
  const looked = `${renderCount(lines, "line")} of ${where}`;
  throw new CliError(`no request is recorded in the ${looked}${why}`, EXIT_NOTHING_FOUND);
}

export interface CollectedLookBack extends Omit<LookedAround, "findReplayed"> {
  readonly replay: ReplayState;
}

export function collectLookBack(scanned: readonly ScannedFile[], terminal: Terminal): CollectedLookBack {
  const { findReplayed: _, ...around } = lookAround(scanned, terminal);
  const isRecent = new Set(around.look?.files);
  const files = scanned.flatMap(({ file }) => (isRecent.has(file.path) ? [file] : []));
  // Only for a person: a script must not be left with a process that it did not ask for.
  const isWatched = terminal.isInteractive && terminal.isTerminal && terminal.hosts === undefined;
  const watch = { isWatched, hasAnswer: readLastReplay(terminal.environment) !== undefined };
  return { ...around, replay: around.canSave ? startReplay(terminal, files, watch) : { status: "none" } };
}
