import {
  createEntry,
  type EntryDraft,
  type LogEntry,
  type Merged,
  normaliseValue,
  openSlot,
  parseLog,
  renderLog,
} from "./entry-log.ts";
import { DAY_MS } from "./stamp.ts";

const MAX_INSTINCTS = 20;
const MAX_AGE_DAYS = 30;
const LEAST_CONFIDENCE = 0.3;
/** A lesson from a few sessions is never certain. */
const MOST_CONFIDENCE = 0.9;
const CONFIRMATION = 0.1;

/** Adds and confirms, then prunes what was not confirmed for 30 days, and beyond 20 the least certain, oldest first. Other kinds of entries stay. */
export function mergeInstincts(text: string, added: readonly EntryDraft[], atMs: number): Merged {
  const log = parseLog(text);
  let kept = log.entries;
  for (const instinct of added) kept = addInstinct(kept, instinct, atMs);
  const oldestMs = atMs - MAX_AGE_DAYS * DAY_MS;
  const pruned = kept.filter((entry) => !isInstinct(entry) || entry.atMs === undefined || entry.atMs >= oldestMs);
  const strongest = new Set(pruned.filter(isInstinct).sort(compareStrength).slice(0, MAX_INSTINCTS));
  const final = pruned.filter((entry) => !isInstinct(entry) || strongest.has(entry));
  const evicted = kept.filter((entry) => !final.includes(entry)).map(({ raw }) => raw);
  if (evicted.length === 0 && kept === log.entries) return { text, evicted };
  const preamble = final.length > 0 ? openSlot(log.preamble, "Instincts") : log.preamble;
  return { text: renderLog({ preamble, entries: final.map(closeEntry) }), evicted };
}

function addInstinct(entries: readonly LogEntry[], instinct: EntryDraft, atMs: number): readonly LogEntry[] {
  const known = entries.find((entry) => isInstinct(entry) && isSameLesson(entry, instinct));
  // Saving the same sighting again confirms nothing.
  if (known && readValue(known, "Evidence") === readValue(instinct, "Evidence")) return entries;
  const confidence = known
    ? Math.max(parseConfidence(known), parseConfidence(instinct)) + CONFIRMATION
    : parseConfidence(instinct);
  const fields = { ...instinct.fields, Confidence: String(clampConfidence(confidence)) };
  const entry = createEntry({ kind: "Instinct", title: instinct.title, fields, atMs });
  return [...entries.filter((other) => other !== known), entry];
}

function isInstinct({ kind }: LogEntry): boolean {
  return kind === "Instinct";
}

function compareStrength(left: LogEntry, right: LogEntry): number {
  return parseConfidence(right) - parseConfidence(left) || (right.atMs ?? 0) - (left.atMs ?? 0);
}

function isSameLesson(left: EntryDraft, right: EntryDraft): boolean {
  return ["Trigger", "Action"].every(
    (label) => readValue(left, label).toLowerCase() === readValue(right, label).toLowerCase(),
  );
}

function readValue({ fields }: EntryDraft, label: string): string {
  return normaliseValue(fields[label] ?? "");
}

export function parseConfidence({ fields }: EntryDraft): number {
  return clampConfidence(Number.parseFloat(fields.Confidence ?? ""));
}

function clampConfidence(value: number): number {
  const known = Number.isFinite(value) ? value : LEAST_CONFIDENCE;
  return Math.round(Math.min(MOST_CONFIDENCE, Math.max(LEAST_CONFIDENCE, known)) * 100) / 100;
}

/** Puts a blank line after every instinct, even if the next one was removed. Other entries keep their text, on lines of their own. */
function closeEntry(entry: LogEntry): LogEntry {
  if (isInstinct(entry)) return { ...entry, raw: `${entry.raw.trimEnd()}\n\n` };
  return entry.raw.endsWith("\n") ? entry : { ...entry, raw: `${entry.raw}\n` };
}
