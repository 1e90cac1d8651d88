import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { TranscriptFile } from "../../hosts/host.ts";
import { type ScanAttempt, tryScan } from "../../recorded/try-scan.ts";
import { openUsageIndex, type UsageIndex } from "../../recorded/usage-index.ts";
import type { Terminal } from "./command.ts";
import { createProgress } from "./progress.ts";

/** Below so many bytes a second thread costs more than it saves. */
const WORTH_A_THREAD_BYTES = 24e6;
/** A thread starts later than this one, so it gets the smaller part. */
const THEIR_SHARE = 0.38;

/**
 * The accounts of many transcripts, in their order. Large sets are shared between this thread and a second one, and indexed:
 * a file that has not changed is not read again, nor one that the caller knows already, by its path.
 */
export async function scanFiles(
  files: readonly TranscriptFile[],
  terminal: Terminal,
  known: ReadonlyMap<string, ScanAttempt> = new Map(),
  index: UsageIndex | undefined = openIndexOf(files, terminal),
): Promise<readonly ScanAttempt[]> {
  const attempts = new Map<TranscriptFile, ScanAttempt>();
  for (const file of files) {
    const attempt = known.get(file.path);
    if (attempt) attempts.set(file, attempt);
  }
  for (const file of files) {
    const scan = attempts.has(file) ? undefined : index?.find(file);
    if (scan) attempts.set(file, { scan });
  }
  const unknown = files.filter((file) => !attempts.has(file));
  for (const [file, attempt] of await scanAnew(unknown, terminal)) {
    attempts.set(file, attempt);
    if ("scan" in attempt) index?.put(file, attempt.scan);
  }
  index?.save();
  return files.flatMap((file) => attempts.get(file) ?? []);
}

/** What was learned of these files before; a few are read as quickly as an index. */
export function openIndexOf(files: readonly TranscriptFile[], terminal: Terminal): UsageIndex | undefined {
  return sumBytes(files) > WORTH_A_THREAD_BYTES ? openUsageIndex(terminal) : undefined;
}

async function scanAnew(
  files: readonly TranscriptFile[],
  terminal: Terminal,
): Promise<ReadonlyMap<TranscriptFile, ScanAttempt>> {
  const totalBytes = sumBytes(files);
  const worker = fileURLToPath(new URL("./scan-worker.cjs", import.meta.url));
  // A thread knows the hosts of the catalogue and no others.
  const isShared = totalBytes > WORTH_A_THREAD_BYTES && terminal.hosts === undefined && existsSync(worker);
  const shares: Shares = isShared ? shareOut(files, totalBytes * THEIR_SHARE) : { ours: files, theirs: [] };
  const theirs = isShared ? scanInThread(worker, shares.theirs) : Promise.resolve([]);
  const progress = createProgress(terminal, "Reading sessions");
  const scans = new Map<TranscriptFile, ScanAttempt>();
  const ownBytes = sumBytes(shares.ours);
  let doneBytes = 0;
  for (const file of shares.ours) {
    scans.set(file, tryScan(file.path, terminal.hosts));
    doneBytes += file.bytes;
    progress.advance(doneBytes, ownBytes);
  }
  for (const [index, scan] of (await theirs).entries()) {
    const file = shares.theirs[index];
    if (file) scans.set(file, scan);
  }
  progress.finish();
  return scans;
}

function sumBytes(files: readonly TranscriptFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0);
}

interface Shares {
  readonly ours: readonly TranscriptFile[];
  readonly theirs: readonly TranscriptFile[];
}

/** Hands over files, every other one, until the second thread has its share of bytes. */
function shareOut(files: readonly TranscriptFile[], theirBytes: number): Shares {
  const ours: TranscriptFile[] = [];
  const theirs: TranscriptFile[] = [];
  let handedBytes = 0;
  for (const file of [...files].sort((left, right) => right.bytes - left.bytes)) {
    const isTheirs = handedBytes + file.bytes <= theirBytes && theirs.length <= ours.length;
    (isTheirs ? theirs : ours).push(file);
    if (isTheirs) handedBytes += file.bytes;
  }
  return { ours, theirs };
}

/** A thread that fails leaves its files to this one: slower, but never wrong. */
async function scanInThread(worker: string, files: readonly TranscriptFile[]): Promise<readonly ScanAttempt[]> {
  const paths = files.map((file) => file.path);
  try {
    return await new Promise<readonly ScanAttempt[]>((resolve, reject) => {
      const thread = new Worker(worker, { workerData: paths });
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", (code) => reject(new Error(`the second thread ended with ${code}`)));
    });
  } catch {
    return paths.map((path) => tryScan(path));
  }
}
