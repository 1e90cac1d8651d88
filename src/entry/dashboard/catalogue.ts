import path from "node:path";
import { hashText } from "../../core/hash.ts";
import { renderFailure } from "../../core/render-failure.ts";
import { hostOf, hostOfListed, listTranscripts, readSession } from "../../hosts/catalogue.ts";
import type { Followed, RecordedSession } from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import type { Injected } from "../../policy/injection/price-injections.ts";
import { type IndexSurroundings, openFileIndex, openUsageIndex } from "../../recorded/file-index.ts";
import type { KeptHistory } from "../../recorded/history.ts";
import { joinScans, type ScanAttempt, type ScannedFile, tryScan } from "../../recorded/join-scans.ts";
import { findLastRequestMs } from "../../recorded/list-own-sessions.ts";
import { type CloseLook, isCloseLook, lookClosely } from "./close-look.ts";
import type { ShownProgress } from "./wire.ts";

/** A session with everything known of it; the close look may still be missing on a first start. */
export interface KnownSession {
  readonly scanned: ScannedFile;
  /** The client's title. */
  readonly host: string;
  /** The id that every command takes. */
  readonly id: string;
  readonly look: CloseLook | undefined;
  /** What Plimsoll added to it; reads its journals. */
  injected(): readonly Injected[];
}

export interface KnownFile {
  readonly key: string;
  readonly file: TranscriptFile;
  /** The time of its last request, or now if it grew since we started. Unknown before its accounts are read. */
  readonly lastMs: number | undefined;
  /** Whether it has no request, as far as known. */
  readonly isEmpty: boolean;
}

export interface CatalogueOptions extends IndexSurroundings {
  readonly roots: readonly string[];
  /** Shown as long as there is nothing else below the roots. */
  readonly sample?: string | undefined;
  /** Files whose contents once killed the thread: only their accounts are read. */
  readonly accountsOnly: readonly string[];
  /** A monotonic clock for durations, because the time of day can be set back. */
  clockMs(): number;
  /** A transcript that a page shows is already followed, so that nothing is read or decoded twice. */
  findHeld?(key: string): Followed<RecordedSession> | undefined;
  /** What is kept of files that are gone. */
  readKept?(): KeptHistory;
  /** Called before a file is looked at closely. */
  onLook?(path: string): void;
}

/** A larger file does not fit into our thread: entries take about four times the bytes of their file. */
const MOST_LOOK_BYTES = 40e6;
/** A growing file is read again no more often than this, and takes at most a tenth of the thread's time. */
const LEAST_PAUSE_MS = 2000;
const PAUSE_PER_COST = 10;

interface Item {
  readonly key: string;
  /** The client and the session id. Determined once, because that may require opening the file. */
  readonly origin: Pick<KnownSession, "host" | "id">;
  file: TranscriptFile;
  scan: Taken<ScanAttempt> | undefined;
  /** Whether it appeared or grew since the first scan. */
  hasGrown: boolean;
  look: Taken<CloseLook | undefined> | undefined;
  isFailed?: boolean;
}

interface Taken<Value> extends Pick<TranscriptFile, "bytes" | "modifiedMs"> {
  readonly value: Value;
  /** Not read again before this time. */
  readonly untilMs: number;
}

/** All transcripts below the roots with what is known of each, updated piece by piece. */
export function createCatalogue(options: CatalogueOptions) {
  const usage = openUsageIndex(options);
  const fields = { entries: "looks", value: "look" };
  const looks = openFileIndex({ name: "dashboard-index.json", format: 3, fields, isValue: isCloseLook }, options);
  const barred = new Set(options.accountsOnly);
  let items = new Map<string, Item>();
  let isSample = false;
  let isListed = false;

  const isDue = (taken: Taken<unknown> | undefined, { bytes, modifiedMs }: TranscriptFile): boolean => {
    if (!taken) return true;
    return (taken.bytes !== bytes || taken.modifiedMs !== modifiedMs) && options.clockMs() >= taken.untilMs;
  };
  const take = <Value>({ bytes, modifiedMs }: TranscriptFile, read: () => Value): Taken<Value> => {
    const startMs = options.clockMs();
    const value = read();
    const endMs = options.clockMs();
    const untilMs = endMs + Math.max(LEAST_PAUSE_MS, (endMs - startMs) * PAUSE_PER_COST);
    return { value, bytes, modifiedMs, untilMs };
  };
  const isSmall = ({ path: name, bytes }: TranscriptFile): boolean => bytes <= MOST_LOOK_BYTES && !barred.has(name);

  const scan = (item: Item): void => {
    item.scan = take(item.file, () => {
      const known = usage.find(item.file);
      if (known) return { scan: known };
      const held = options.findHeld?.(item.key);
      const attempt = held ? tryAccounts(held) : tryScan(item.file.path);
      if ("scan" in attempt) usage.put(item.file, attempt.scan);
      return attempt;
    });
  };
  const look = (item: Item): void => {
    item.look = take(item.file, () => {
      if (!isSmall(item.file)) return undefined;
      const known = looks.find(item.file);
      if (known) return known;
      options.onLook?.(item.file.path);
      const held = options.findHeld?.(item.key);
      const fresh = tryLook(() => held?.read() ?? readSession(item.file.path));
      if (fresh) looks.put(item.file, fresh);
      return fresh;
    });
  };

  /** Takes over what the last run learned, so that a restart need not read it again. */
  const recognise = (item: Item): Item => {
    const [scanned, looked] = [usage.find(item.file), looks.find(item.file)];
    if (scanned) item.scan = take(item.file, () => ({ scan: scanned }));
    if (looked && isSmall(item.file)) item.look = take(item.file, () => looked);
    return item;
  };

  return {
    /** Scans the folders again. Returns whether anything was added, grew or disappeared. */
    list(): boolean {
      const own = options.roots.flatMap((root) => listTranscripts(root));
      isSample = own.length === 0 && options.sample !== undefined;
      const listed = isSample ? listTranscripts(options.sample ?? "") : own;
      const before = items;
      items = new Map();
      let isChanged = false;
      for (const file of listed) {
        const key = nameKey(file.path);
        const known = before.get(key);
        isChanged ||= known?.file.bytes !== file.bytes || known.file.modifiedMs !== file.modifiedMs;
        const hasGrown = known ? known.hasGrown || file.bytes > known.file.bytes : isListed;
        items.set(
          key,
          known
            ? Object.assign(known, { file, hasGrown })
            : recognise({ key, origin: nameOrigin(file), file, hasGrown, scan: undefined, look: undefined }),
        );
      }
      isListed = true;
      return isChanged || before.size !== items.size;
    },
    /** Makes this file the next whose accounts are read. */
    scan(key: string): void {
      const item = items.get(key);
      if (item) scan(item);
    },
    /** A session that cannot be described must not hide the others: it counts as unreadable. */
    attempt<Described>(key: string, describe: () => Described): Described | undefined {
      const item = items.get(key);
      try {
        const described = describe();
        if (item) item.isFailed = false;
        return described;
      } catch {
        if (item) item.isFailed = true;
        return undefined;
      }
    },
    /** Processes the next file, if one is due. */
    work(): boolean {
      const all = [...items.values()];
      const toScan = all.find((item) => isDue(item.scan, item.file));
      if (toScan) scan(toScan);
      const toLook = toScan ? undefined : all.find((item) => isDue(item.look, item.file));
      if (toLook) look(toLook);
      return toScan !== undefined || toLook !== undefined;
    },
    progress(): Omit<ShownProgress, "replay"> {
      const all = [...items.values()];
      const scanned = all.filter((item) => item.scan);
      const looked = all.filter((item) => item.look);
      const phase = scanned.length < all.length ? "accounts" : looked.length < all.length ? "contents" : "ready";
      return {
        phase,
        doneBytes: sumBytes(phase === "accounts" ? scanned : looked),
        totalBytes: sumBytes(all),
        files: all.length,
        unreadable: all.filter(({ scan, isFailed }) => isFailed || (scan && !("scan" in scan.value))).length,
        accountsOnly: all.filter(({ file }) => !isSmall(file)).length,
        isSample,
      };
    },
    find(key: string): KnownFile | undefined {
      const item = items.get(key);
      return item && toKnownFile(item);
    },
    /** Whether its contents fit into the thread; otherwise only accounts and measures are shown. */
    isSmall: (file: TranscriptFile): boolean => isSmall(file),
    /** Sorted by last request, latest first, as far as known. */
    files: (): readonly KnownFile[] =>
      [...items.values()]
        .map(toKnownFile)
        .sort((left, right) => (right.lastMs ?? right.file.modifiedMs) - (left.lastMs ?? left.file.modifiedMs)),
    sessions(injectedOf: (file: TranscriptFile) => ReturnType<KnownSession["injected"]>): readonly KnownSession[] {
      const all = [...items.values()].filter((item) => item.scan && "scan" in item.scan.value);
      const { scanned } = joinScans(
        all.map(({ file }) => file),
        all.map((item) => item.scan?.value),
        isSample ? undefined : options.readKept?.(),
      );
      return scanned.map((one) => {
        const item = one.keptOf === undefined ? items.get(nameKey(one.file.path)) : undefined;
        return {
          scanned: one,
          ...(item?.origin ?? { host: hostOfListed(one.file).title, id: one.sessionId }),
          look: item?.look?.value,
          injected: () => (one.file.isSubagent || !item ? [] : injectedOf(one.file)),
        };
      });
    },
    save(): void {
      usage.save();
      looks.save();
    },
  };
}

function toKnownFile({ key, file, scan, hasGrown }: Item): KnownFile {
  const steps = scan && ("scan" in scan.value ? scan.value.scan.steps : []);
  const lastMs = hasGrown ? file.modifiedMs : steps && findLastRequestMs({ steps }, file);
  return { key, file, lastMs, isEmpty: steps?.length === 0 };
}

function nameOrigin({ path: name }: TranscriptFile): Item["origin"] {
  const host = hostOf(name);
  return { host: host.title, id: host.nameSession(name) };
}

/** A name for addresses that reveals nothing of the path and from which no path can be made. */
export function nameKey(file: string): string {
  return hashText(path.resolve(file));
}

function tryAccounts(held: Followed<RecordedSession>): ScanAttempt {
  try {
    const { accounts, tally } = held.read();
    return { scan: { ...accounts, lines: { read: tally.lines, notAboutUsage: 0, malformed: tally.malformed } } };
  } catch (error) {
    return { why: renderFailure(error) };
  }
}

function tryLook(read: () => RecordedSession): CloseLook | undefined {
  try {
    return lookClosely(read());
  } catch {
    // Deleted or unreadable; its accounts report the same.
    return undefined;
  }
}

function sumBytes(items: readonly Item[]): number {
  return items.reduce((sum, { file }) => sum + file.bytes, 0);
}
