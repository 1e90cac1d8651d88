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
import { parseJson } from "../../../core/json.ts";
import { encodeUtf8 } from "../../../core/utf8.ts";
import { locateArtifacts, openArtifactFolder } from "../../../files/artifacts/artifact-folder.ts";
import { createArtifactStore } from "../../../files/artifacts/artifacts.ts";
import { keepObject } from "../../../files/artifacts/keep-artifact.ts";
import { removeLitter } from "../../../files/artifacts/prune-artifacts.ts";
import { appendPrivateFile, writeAtomically } from "../../../files/private-files.ts";
import { isRecord } from "../../../wire/is-json.ts";
import {
  addItems,
  type GatewayStore,
  type JournalEntry,
  type KnownLedger,
  type LedgerItem,
  noLedger,
  requireSession,
  type SessionFacts,
} from "./gateway-store.ts";
import { parseFacts, parseItems } from "./parse-stored.ts";

const SOON_MS = 500;
/** Of a crowd's facts so many milliseconds are written at a time, and so many others are served in between: a tenth of the time. */
const SLICE_MS = 5;
const PAUSE_MS = 45;
const DAY_MS = 86_400_000;
/** Journals older than this are removed when the store is opened. */
const KEEP_DAYS = 30;

/**
 * A folder that only its owner reads: a ledger of lines for each conversation, originals by their hash, a journal for each day.
 * Originals lie where `plimsoll artifacts` finds them. What is decided is written before it is sent, so that whoever is
 * killed in between has sent nothing that the next one does not know of.
 */
export function createFileStore(options: { readonly folder: string; readonly nowMs?: () => number }): GatewayStore {
  const { folder, nowMs = Date.now } = options;
  const journals = path.join(folder, "journal");
  const artifacts = locateArtifacts(folder);
  for (const place of [folder, journals]) mkdirSync(place, { recursive: true, mode: 0o700 });
  const opened = openArtifactFolder(artifacts);
  if (!opened.ok) throw new Error(opened.problem.detail);
  removeOldJournals(journals, nowMs() - KEEP_DAYS * DAY_MS);
  removeLitter(artifacts, nowMs());
  const soon = createSoon(folder, journals);

  return {
    async readLedger(session, known = noLedger) {
      return readLedger(locateSession(folder, session, "ledger.jsonl"), known);
    },
    // A killed process would leave a lock file behind: here the append alone decides who was first.
    async holdLedger(session, known = noLedger) {
      const ledger = readLedger(locateSession(folder, session, "ledger.jsonl"), known);
      return { ledger, isHeld: true, release: () => undefined };
    },
    async appendDecisions(session, items, known) {
      const file = locateSession(folder, session, "ledger.jsonl");
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
      return soon.facts(session) ?? parseFacts(readJson(locateSession(folder, session, "facts.json")));
    },
    saveFacts: soon.saveFacts,
    note: soon.note,
    lost: soon.lost,
    async check() {
      const probe = path.join(folder, `.probe-${process.pid}`);
      // Something, on the disk: a name alone finds room where nothing else does.
      writeAtomically(probe, "ready\n", { isDurable: true });
      rmSync(probe, { force: true });
    },
    async close() {
      soon.flush();
    },
  };
}

/** Two digits a folder, so that none grows without bound. */
function locateSession(folder: string, session: string, file: string): string {
  requireSession(session);
  return path.join(folder, "sessions", session.slice(0, 2), `${session}.${file}`);
}

/**
 * Its length is its version. Every line says at which byte it was meant to stand, and counts only there: of two instances that
 * decide at once one is first, and every reader sees the same one. What a killed writer left of a line counts for nothing,
 * and had been sent by nobody.
 */
function readLedger(file: string, known: KnownLedger): KnownLedger {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === known.version) return known;
  const bytes = readFileSync(file);
  const items: LedgerItem[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf("\n", start);
    const end = found < 0 ? bytes.length : found;
    const line = parseJson(bytes.toString("utf8", start, end));
    if (isRecord(line) && line.at === start) items.push(...(parseItems(line.decisions) ?? []));
    start = end + 1;
  }
  return addItems(noLedger, items, bytes.length);
}

function appendItems(file: string, items: readonly LedgerItem[], known: KnownLedger): KnownLedger | undefined {
  if (readLedger(file, known) !== known) return undefined;
  const separator = endsTorn(file, known.version) ? "\n" : "";
  const at = known.version + separator.length;
  const line = `${separator}${JSON.stringify({ at, decisions: items })}\n`;
  appendPrivateFile(file, line);
  const version = known.version + Buffer.byteLength(line);
  if (statSync(file).size === version) return addItems(known, items, version);
  // Somebody else was writing, too: whose line counts, the file says.
  return isAt(file, at, line.trim()) ? readLedger(file, known) : undefined;
}

function isAt(file: string, at: number, line: string): boolean {
  return readFileSync(file)
    .subarray(at, at + Buffer.byteLength(line))
    .equals(Buffer.from(line));
}

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

/** Gathers what nobody waits for; a disk that is full costs these lines and nothing else. */
function createSoon(folder: string, journals: string) {
  const facts = new Map<string, SessionFacts>();
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let lost = 0;
  const writeSome = (forMs: number): void => {
    const untilMs = performance.now() + forMs;
    for (const [session, value] of facts) {
      facts.delete(session);
      if (!tryWrite(locateSession(folder, session, "facts.json"), value)) lost++;
      if (performance.now() > untilMs) break;
    }
    const noted = lines;
    lines = [];
    if (noted.length > 0 && !tryAppend(journals, noted)) lost += noted.length;
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writeSome(Number.POSITIVE_INFINITY);
  };
  // A crowd's facts are not written in one breath: who asks meanwhile is answered.
  const flushSoon = (): void => {
    timer = undefined;
    writeSome(SLICE_MS);
    if (facts.size > 0) later(PAUSE_MS);
  };
  const later = (ms: number = SOON_MS): void => {
    timer ??= setTimeout(flushSoon, ms).unref();
  };
  return {
    facts: (session: string) => facts.get(session),
    saveFacts(session: string, value: SessionFacts) {
      facts.set(session, value);
      later();
    },
    note(entry: JournalEntry) {
      lines.push(JSON.stringify(entry));
      later();
    },
    lost: () => lost,
    flush,
  };
}

function tryWrite(file: string, value: SessionFacts): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeAtomically(file, JSON.stringify(value));
    return true;
  } catch {
    // Pricing starts over after a restart; the request itself is long gone.
    return false;
  }
}

function tryAppend(journals: string, lines: readonly string[]): boolean {
  try {
    const day = new Date().toISOString().slice(0, 10);
    appendPrivateFile(path.join(journals, `${day}.jsonl`), `${lines.join("\n")}\n`);
    return true;
  } catch {
    // The metrics still count what happened.
    return false;
  }
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
