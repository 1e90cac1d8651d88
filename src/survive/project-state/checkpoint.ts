import {
  createEntry,
  type EntryDraft,
  identify,
  type LogEntry,
  type Merged,
  openSlot,
  parseLog,
  renderLog,
} from "./entry-log.ts";

const ACTIVE = "Checkpoint";
const RESOLVED = "Resolved";
const MAX_RESOLVED = 3;

export function findActiveCheckpoint(text: string): LogEntry | undefined {
  return parseLog(text).entries.findLast(({ kind }) => kind === ACTIVE);
}

/** Sets the one active checkpoint. The previous one is kept as resolved, and of the resolved ones the last three. */
export function setCheckpoint(text: string, draft: EntryDraft, atMs: number): Merged {
  const entry = createEntry({ ...draft, kind: ACTIVE, atMs });
  const active = findActiveCheckpoint(text);
  if (active && identify(active) === identify(entry)) return { text, evicted: [] };
  const log = parseLog(text);
  const entries = log.entries.map((each) => (each.kind === ACTIVE ? toResolved(each) : each));
  const surplus = new Set(entries.filter(({ kind }) => kind === RESOLVED).slice(0, -MAX_RESOLVED));
  const kept = renderLog({ ...log, entries: entries.filter((each) => !surplus.has(each)) });
  return { text: openSlot(kept, "Checkpoint") + entry.raw, evicted: [...surplus].map(({ raw }) => raw) };
}

function toResolved(entry: LogEntry): LogEntry {
  return { ...entry, kind: RESOLVED, raw: entry.raw.replace(`] ${ACTIVE}`, `] ${RESOLVED}`) };
}
