import type { Merged } from "./entry-log.ts";
import {
  type LogEntry,
  type NewEntry,
  normaliseValue,
  openSlot,
  parseLog,
  renderLog,
  renderLogEntry,
} from "./entry-log.ts";
import { countDaysBetween } from "./stamp.ts";

/** A lesson from a project: when this applies, do that. */
export interface Instinct {
  readonly name: string;
  readonly trigger: string;
  readonly action: string;
  readonly confidence: number;
  readonly evidence: string;
}

const MAX_INSTINCTS = 20;
const MAX_AGE_DAYS = 30;
const LEAST_CONFIDENCE = 0.3;
/** A lesson from a few sessions is never certain. */
const MOST_CONFIDENCE = 0.9;
const CONFIRMATION = 0.1;

export function parseInstinct({ title, fields }: LogEntry): Instinct {
  const confidence = Number.parseFloat(fields.Confidence ?? "");
  return {
    name: title,
    trigger: fields.Trigger ?? "",
    action: fields.Action ?? "",
    confidence: clampConfidence(confidence),
    evidence: fields.Evidence ?? "",
  };
}

/** Adds and confirms, then prunes what was not confirmed for 30 days, and beyond 20 the least certain, oldest first. Other kinds of entries stay. */
export function mergeInstincts(text: string, added: readonly Instinct[], atMs: number): Merged {
  const log = parseLog(text);
  let kept = log.entries;
  for (const instinct of added) kept = addInstinct(kept, instinct, atMs);
  const pruned = kept.filter((entry) => !isInstinct(entry) || !isStale(entry, atMs));
  const strongest = new Set(pruned.filter(isInstinct).sort(compareStrength).slice(0, MAX_INSTINCTS));
  const final = pruned.filter((entry) => !isInstinct(entry) || strongest.has(entry));
  const evicted = kept.filter((entry) => !final.includes(entry)).map(({ raw }) => raw);
  if (evicted.length === 0 && kept === log.entries) return { text, evicted };
  const preamble = final.length > 0 ? openSlot(log.preamble, "Instincts") : log.preamble;
  return { text: renderLog({ preamble, entries: final.map(closeEntry) }), evicted };
}

function addInstinct(entries: readonly LogEntry[], instinct: Instinct, atMs: number): readonly LogEntry[] {
  const known = entries.find((entry) => isInstinct(entry) && identify(parseInstinct(entry)) === identify(instinct));
  // Saving the same sighting again confirms nothing.
  if (known && parseInstinct(known).evidence === normaliseValue(instinct.evidence)) return entries;
  const confidence = known
    ? Math.max(parseInstinct(known).confidence, clampConfidence(instinct.confidence)) + CONFIRMATION
    : instinct.confidence;
  const entry = toEntry({ ...instinct, confidence: clampConfidence(confidence) }, atMs);
  const [parsed] = parseLog(renderLogEntry(entry)).entries;
  return [...entries.filter((other) => other !== known), ...(parsed ? [parsed] : [])];
}

function toEntry({ name, trigger, action, confidence, evidence }: Instinct, atMs: number): NewEntry {
  const fields = { Trigger: trigger, Action: action, Confidence: String(confidence), Evidence: evidence };
  return { atMs, kind: "Instinct", title: name, fields };
}

function isInstinct({ kind }: LogEntry): boolean {
  return kind === "Instinct";
}

function isStale({ atMs }: LogEntry, nowMs: number): boolean {
  return atMs !== undefined && countDaysBetween(atMs, nowMs) > MAX_AGE_DAYS;
}

function compareStrength(left: LogEntry, right: LogEntry): number {
  return parseInstinct(right).confidence - parseInstinct(left).confidence || (right.atMs ?? 0) - (left.atMs ?? 0);
}

function identify({ trigger, action }: Instinct): string {
  return JSON.stringify([trigger, action].map((text) => normaliseValue(text).toLowerCase()));
}

function clampConfidence(value: number): number {
  const clamped = Math.min(
    MOST_CONFIDENCE,
    Math.max(LEAST_CONFIDENCE, Number.isFinite(value) ? value : LEAST_CONFIDENCE),
  );
  return Math.round(clamped * 100) / 100;
}

/** Puts a blank line after every instinct, even if the next one was removed. Other entries keep their text, on lines of their own. */
function closeEntry(entry: LogEntry): LogEntry {
  if (isInstinct(entry)) return { ...entry, raw: `${entry.raw.trimEnd()}\n\n` };
  return entry.raw.endsWith("\n") ? entry : { ...entry, raw: `${entry.raw}\n` };
}
