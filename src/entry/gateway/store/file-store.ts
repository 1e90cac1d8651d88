import { createHash } from "node:crypto";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import path from "node:path";
import { isObject, parseJson } from "../../../core/json.ts";
import { encodeUtf8 } from "../../../core/utf8.ts";
import { locateArtifacts, openArtifactFolder } from "../../../files/artifacts/artifact-folder.ts";
import { createArtifactStore } from "../../../files/artifacts/artifacts.ts";
import { keepObject } from "../../../files/artifacts/keep-artifact.ts";
import { removeLitter } from "../../../files/artifacts/prune-artifacts.ts";
import { appendPrivateFile, writeAtomically } from "../../../files/private-files.ts";
import {
  addItems,
  type GatewayStore,
  type JournalEntry,
  type KnownLedger,
  type LedgerItem,
  noLedger,
  parseFacts,
  parseItems,
  requireSession,
  type SessionFacts,
} from "./gateway-store.ts";
import { createPendingWrites, type Pending } from "./pending-writes.ts";

/** Facts are written for so many milliseconds at a time, with a pause to serve requests: a tenth of the time. */
const SLICE_MS = 5;
const JOURNAL = "journal";
const DAY_MS = 86_400_000;
/** Journals older than this are removed when the store is opened. */
const KEEP_DAYS = 30;

/**
 * A folder that only its owner can read: a ledger file per conversation, originals by hash, a journal per day. Originals are where `plimsoll artifacts`
 * finds them. Decisions are written before they are sent, so a process that is killed in between has sent nothing that the next one does not know.
 */
export function createFileStore(options: { readonly folder: string; readonly nowMs?: () => number }): GatewayStore {
  const { folder, nowMs = Date.now } = options;
  const journals = path.join(folder, JOURNAL);
  const artifacts = locateArtifacts(folder);
  for (const place of [folder, journals]) mkdirSync(place, { recursive: true, mode: 0o700 });
  const opened = openArtifactFolder(artifacts);
  if (!opened.ok) throw new Error(opened.problem.detail);
  removeOldJournals(journals, nowMs() - KEEP_DAYS * DAY_MS);
  removeLitter(artifacts, nowMs());
  const { facts, flush, ...soon } = createPendingWrites((pending, isEnd) =>
    writePending(folder, pending, isEnd ? Number.POSITIVE_INFINITY : SLICE_MS),
  );
  const locateLedger = (session: string): string => locateSession(folder, session, "ledger.jsonl");

  return {
    readLedger: async (session, known = noLedger) => readLedger(locateLedger(session), known),
    // A killed process would leave a lock file behind, so the append alone decides who was first.
    async holdLedger(session, known = noLedger) {
      return { ledger: readLedger(locateLedger(session), known), isHeld: true, release: () => undefined };
    },
    async appendDecisions(session, items, known) {
      const file = locateLedger(session);
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      return appendItems(file, items, known);
    },
    async keepOriginals(originals) {
      for (const bytes of originals.map(({ text }) => encodeUtf8(text)))
        keepObject(artifacts, createHash("sha256").update(bytes).digest("hex"), bytes);
    },
    async readOriginal(handle) {
      const found = createArtifactStore(folder, nowMs).read(handle);
      return found.ok ? Buffer.from(found.value.bytes).toString("utf8") : undefined;
    },
    async readFacts(session) {
      return facts(session) ?? parseFacts(readJson(locateSession(folder, session, "facts.json")));
    },
    ...soon,
    async check() {
      const probe = path.join(folder, `.probe-${process.pid}`);
      // Writes real bytes: a full disk may still accept an empty file.
      writeAtomically(probe, "ready\n", { isDurable: true });
      rmSync(probe, { force: true });
    },
    close: flush,
  };
}

/** Folders by the first two digits, so that none grows without bound. */
function locateSession(folder: string, session: string, file: string): string {
  requireSession(session);
  return path.join(folder, "sessions", session.slice(0, 2), `${session}.${file}`);
}

/**
 * The file's length is its version. Every line says at which byte it was meant to be, and counts only there: if two instances decide
 * at once, one is first, and every reader sees the same one. The rest of a killed writer's line does not count, and was never sent.
 */
function readLedger(file: string, known: KnownLedger): KnownLedger {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === known.version) return known;
  const bytes = readFileSync(file);
  const items: LedgerItem[] = [];
  let skipped = 0;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf("\n", start);
    const end = found < 0 ? bytes.length : found;
    const line = parseJson(bytes.toString("utf8", start, end));
    if (isObject(line) && line.at === start) {
      const parsed = parseItems(line.decisions);
      items.push(...parsed.items);
      skipped += parsed.skipped;
    }
    start = end + 1;
  }
  return addItems(noLedger, items, bytes.length, skipped);
}

function appendItems(file: string, items: readonly LedgerItem[], known: KnownLedger): KnownLedger | undefined {
  if (readLedger(file, known) !== known) return undefined;
  const separator = endsTorn(file, known.version) ? "\n" : "";
  const at = known.version + separator.length;
  const line = `${separator}${JSON.stringify({ at, decisions: items })}\n`;
  appendPrivateFile(file, line);
  const version = known.version + Buffer.byteLength(line);
  if (statSync(file).size === version) return addItems(known, items, version);
  // Another instance was writing, too: the file says whose line counts.
  const own = Buffer.from(line.trim());
  const there = readFileSync(file).subarray(at, at + own.length);
  return there.equals(own) ? readLedger(file, known) : undefined;
}

/** Reads one byte: a ledger can be long, and this is asked before every append. */
function endsTorn(file: string, size: number): boolean {
  if (size === 0) return false;
  const handle = openSync(file, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(handle, last, 0, 1, size - 1);
    return last[0] !== 0x0a;
  } finally {
    closeSync(handle);
  }
}

/** Writes what is pending. A full disk costs these lines and nothing else. */
async function writePending(folder: string, pending: Pending, forMs: number): Promise<void> {
  const untilMs = performance.now() + forMs;
  for (const [session, value] of pending.facts) {
    pending.facts.delete(session);
    if (!isWritten(() => writeFacts(locateSession(folder, session, "facts.json"), value))) pending.lost++;
    if (performance.now() > untilMs) break;
  }
  const noted = pending.entries.splice(0);
  if (noted.length > 0 && !isWritten(() => appendEntries(folder, noted))) pending.lost += noted.length;
}

/** Pricing starts over after a restart, and the metrics still count what happened. */
function isWritten(write: () => void): boolean {
  try {
    write();
    return true;
  } catch {
    return false;
  }
}

function writeFacts(file: string, value: SessionFacts): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, JSON.stringify(value));
}

function appendEntries(folder: string, entries: readonly JournalEntry[]): void {
  const day = new Date().toISOString().slice(0, 10);
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  appendPrivateFile(path.join(folder, JOURNAL, `${day}.jsonl`), lines);
}

function removeOldJournals(journals: string, beforeMs: number): void {
  for (const name of readdirSync(journals)) {
    const day = /^(\d{4}-\d\d-\d\d)\.jsonl$/.exec(name)?.[1];
    if (day !== undefined && Date.parse(day) < beforeMs) unlinkSync(path.join(journals, name));
  }
}

function readJson(file: string): unknown {
  try {
    return parseJson(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
