import { existsSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { renderCount } from "../../core/render-count.ts";
import { findHoldingFile } from "../../files/list-files.ts";
import { hostOf, listAll, listTranscripts, locateAll } from "../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { openUsageIndex, type UsageIndex } from "../../recorded/file-index.ts";
import { readHistory } from "../../recorded/history.ts";
import {
  type CollectedUsage,
  joinScans,
  type ScanAnswer,
  type ScanAttempt,
  type ScannedFile,
  type ScanOrder,
  takeEach,
  tryScan,
} from "../../recorded/join-scans.ts";
import { type LookedAround, lookAround } from "../person/look-around.ts";
import { readLastReplay } from "../person/read-last-replay.ts";
import { type ReplayState, startReplay } from "../person/start-replay.ts";
import { CliError, type Terminal } from "./command.ts";
import { createProgress } from "./print/progress.ts";
import { nameFolders } from "./require-session.ts";

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
  throw CliError.foundNothing(why);
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
  throw CliError.foundNothing(`no request is recorded in the ${looked}${why}`);
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

/** The sample session in the package, from the bundle and from the plain modules; empty if it is missing. */
export function locateSample(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const places = ["..", "../../.."].map((up) => path.join(here, up, "samples", "demo-session.jsonl"));
  return places.find((name) => existsSync(name)) ?? "";
}

/** Below this size a second thread costs more than it saves. */
const WORTH_A_THREAD_BYTES = 24e6;
/** More threads would wait for the disk. */
const MOST_THREADS = 3;

/** Accounts of many transcripts, in order. Large sets are shared between threads and indexed; unchanged or already known files are not read. */
export async function scanFiles(
  files: readonly TranscriptFile[],
  terminal: Terminal,
  known: ReadonlyMap<string, ScanAttempt> = new Map(),
  index: UsageIndex | undefined = openIndexOf(files, terminal),
): Promise<readonly ScanAttempt[]> {
  const attempts = new Map<TranscriptFile, ScanAttempt>();
  for (const file of files) {
    const read = known.get(file.path);
    const scan = read ? undefined : index?.find(file);
    const attempt = scan ? { scan } : read;
    if (attempt) attempts.set(file, attempt);
    if (read && "scan" in read) index?.put(file, read.scan);
  }
  const unknown = files.filter((file) => !attempts.has(file));
  for (const [file, attempt] of await scanAnew(unknown, terminal)) {
    attempts.set(file, attempt);
    if ("scan" in attempt) index?.put(file, attempt.scan);
  }
  index?.save();
  return files.flatMap((file) => attempts.get(file) ?? []);
}

/** The index of these files; `undefined` for small sets, which are read as quickly. */
function openIndexOf(files: readonly TranscriptFile[], terminal: Terminal): UsageIndex | undefined {
  return sumBytes(files) > WORTH_A_THREAD_BYTES ? openUsageIndex(terminal) : undefined;
}

async function scanAnew(files: readonly TranscriptFile[], terminal: Terminal) {
  const worker = fileURLToPath(new URL("./scan-worker.cjs", import.meta.url));
  // Threads know only the hosts of the catalogue.
  const isShared = sumBytes(files) > WORTH_A_THREAD_BYTES && terminal.hosts === undefined && existsSync(worker);
  // Largest first, so that all threads finish at about the same time.
  const queue = [...files].sort((left, right) => right.bytes - left.bytes);
  const order: ScanOrder = { paths: queue.map(({ path }) => path), next: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = isShared ? Math.min(MOST_THREADS, availableParallelism() - 1) : 0;
  const theirs = Array.from({ length: threads }, () => scanInThread(worker, order));
  const progress = createProgress(terminal, "Reading sessions");
  const scans = new Map<TranscriptFile, ScanAttempt>();
  const keep = (taken: number, attempt: ScanAttempt): void => {
    const file = queue[taken];
    if (file) scans.set(file, attempt);
  };
  const [sums, totalBytes] = [sumUp(queue), sumBytes(queue)];
  takeEach(order, (path, taken) => {
    keep(taken, tryScan(path, terminal.hosts));
    progress.advance(sums[Math.min(Atomics.load(order.next, 0), queue.length) - 1] ?? 0, totalBytes);
  });
  for (const attempts of await Promise.all(theirs)) for (const [taken, attempt] of attempts) keep(taken, attempt);
  // Files of a thread that failed are scanned here: slower, but correct.
  for (const file of queue) if (!scans.has(file)) scans.set(file, tryScan(file.path, terminal.hosts));
  progress.finish();
  return scans;
}

/** Running totals of bytes. */
function sumUp(files: readonly TranscriptFile[]): readonly number[] {
  let sum = 0;
  return files.map(({ bytes }) => {
    sum += bytes;
    return sum;
  });
}

function sumBytes(files: readonly TranscriptFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

async function scanInThread(worker: string, order: ScanOrder): Promise<ScanAnswer> {
  try {
    return await new Promise<ScanAnswer>((resolve, reject) => {
      const thread = new Worker(worker, { workerData: order });
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", (code) => reject(new Error(`a thread ended with ${code}`)));
    });
  } catch {
    return [];
  }
}
