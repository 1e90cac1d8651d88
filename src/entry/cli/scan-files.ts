import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { TranscriptFile } from "../../hosts/host.ts";
import { openUsageIndex, type UsageIndex } from "../../recorded/file-index.ts";
import { type ScanAnswer, type ScanAttempt, type ScanOrder, takeEach, tryScan } from "../../recorded/join-scans.ts";
import type { Terminal } from "./command.ts";
import { createProgress } from "./print/progress.ts";

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

async function scanAnew(
  files: readonly TranscriptFile[],
  terminal: Terminal,
): Promise<ReadonlyMap<TranscriptFile, ScanAttempt>> {
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
