import { type Hosts, hostOf, listAll } from "../hosts/catalogue.ts";
import type { Host, TranscriptFile } from "../hosts/host.ts";
import type { Accounts, UsageScan } from "../hosts/usage.ts";
import { type IndexSurroundings, openUsageIndex } from "./file-index.ts";
import { tryScan } from "./join-scans.ts";
import { passOverSubagents } from "./own-data.ts";

export interface OwnSession {
  /** 1 for the newest. The user may name a session by it. */
  readonly number: number;
  readonly file: TranscriptFile;
  readonly scan: UsageScan;
}

/** How much is read to find out which sessions are newest. For the rest, the file's time stands for its last request. */
const MOST_READ_BYTES = 24e6;

/** The user's sessions with a request, the most recent first. Subagents' files and files with only a prompt or a title are skipped in every list. */
export function* listOwnSessions(
  surroundings: IndexSurroundings & { readonly hosts?: Hosts },
): Generator<OwnSession, void, void> {
  const index = openUsageIndex(surroundings);
  const files = passOverSubagents(
    listAll(surroundings.environment, surroundings.hosts).filter(({ bytes }) => bytes > 0),
    (file) => file,
  );
  const scans = new Map(files.map((file) => [file, index.find(file)]));
  const read = (file: TranscriptFile): UsageScan | undefined => {
    const known = scans.get(file);
    if (known) return known;
    const attempt = tryScan(file.path, surroundings.hosts);
    return "scan" in attempt ? attempt.scan : undefined;
  };
  const unknown = files.filter((file) => !scans.get(file));
  if (unknown.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_READ_BYTES)
    for (const file of unknown) scans.set(file, read(file));
  let number = 0;
  for (const file of rankByLastRequest(files, (one) => scans.get(one))) {
    const scan = read(file);
    if (scan && wasAsked(scan, () => hostOf(file.path, surroundings.hosts))) yield { number: ++number, file, scan };
  }
}

/** Whether a session has a request, shown by its usage or, if no usage is recorded, by its first words. */
export function wasAsked({ steps, title }: Pick<Accounts, "steps" | "title">, hostOfIt: () => Host): boolean {
  return steps.length > 0 || (title !== "" && hostOfIt().recordsUsage === false);
}

/**
 * When a session was last active. Its last request counts, because copied or restored files are all as new as the copy. A request is
 * never taken as newer than its file; a file without requests counts by its own time.
 */
export function findLastRequestMs(
  { steps }: Pick<UsageScan, "steps">,
  { modifiedMs }: Pick<TranscriptFile, "modifiedMs">,
): number {
  const lastMs = steps.reduce((latest, { atMs = latest }) => Math.max(latest, atMs), Number.NEGATIVE_INFINITY);
  return lastMs === Number.NEGATIVE_INFINITY ? modifiedMs : Math.min(lastMs, modifiedMs);
}

/** The most recent request first; a file of which nothing is known counts by its own time. */
export function rankByLastRequest<File extends Pick<TranscriptFile, "modifiedMs">>(
  files: readonly File[],
  scanOf: (file: File) => Pick<UsageScan, "steps"> | undefined,
): readonly File[] {
  return files
    .map((file) => ({ file, atMs: findLastRequestMs(scanOf(file) ?? { steps: [] }, file) }))
    .sort((left, right) => right.atMs - left.atMs)
    .map(({ file }) => file);
}

/** Enough digits of an id to type, and for commands to find the session by. */
const SHORT_ID = 8;

/** The part before the first hyphen of a UUID; other names stay whole. */
export function shortenId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id.slice(0, SHORT_ID) : id;
}
