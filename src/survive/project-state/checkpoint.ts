import { type LogEntry, type Merged, openSlot, parseLog, renderLog, renderLogEntry } from "./entry-log.ts";

export interface Checkpoint {
  readonly doing: string;
  /** Branch, commit and uncommitted changes; says so if there is no git. */
  readonly git: string;
  /** Only those that the remaining work depends on. */
  readonly decisions: readonly string[];
  readonly left: readonly string[];
  /** What neither the code nor its history shows. */
  readonly context: string;
  readonly resume: string;
}

const ACTIVE = "Checkpoint";
const RESOLVED = "Resolved";
const MAX_RESOLVED = 3;

/** Sets the one active checkpoint; the previous one is kept as resolved. */
export function setCheckpoint(text: string, checkpoint: Checkpoint, atMs: number): Merged {
  const { doing, git, decisions, left, context, resume } = checkpoint;
  const rendered = renderLogEntry({
    atMs,
    kind: ACTIVE,
    title: doing,
    fields: { Git: git, Decisions: renderItems(decisions), Left: renderItems(left), Context: context, Resume: resume },
  });
  const [entry] = parseLog(rendered).entries;
  const active = parseLog(text).entries.findLast(isActive);
  if (!entry || (active && hasSameContent(active, entry))) return { text, evicted: [] };
  const resolved = resolveCheckpoint(text);
  return { text: openSlot(resolved.text, "Checkpoint") + rendered, evicted: resolved.evicted };
}

/** Marks the active checkpoint as resolved, and keeps the last three. */
export function resolveCheckpoint(text: string): Merged {
  const log = parseLog(text);
  if (!log.entries.some(isActive)) return { text, evicted: [] };
  const entries = log.entries.map((entry) => (isActive(entry) ? toResolved(entry) : entry));
  const surplus = new Set(entries.filter(({ kind }) => kind === RESOLVED).slice(0, -MAX_RESOLVED));
  const kept = entries.filter((entry) => !surplus.has(entry));
  return { text: renderLog({ ...log, entries: kept }), evicted: [...surplus].map(({ raw }) => raw) };
}

export function findActiveCheckpoint(
  text: string,
): { readonly checkpoint: Checkpoint; readonly atMs: number | undefined } | undefined {
  const entry = parseLog(text).entries.findLast(isActive);
  if (!entry) return undefined;
  const { fields, title, atMs } = entry;
  const checkpoint = {
    doing: title,
    git: fields.Git ?? "",
    decisions: parseItems(fields.Decisions),
    left: parseItems(fields.Left),
    context: fields.Context ?? "",
    resume: fields.Resume ?? "",
  };
  return { checkpoint, atMs };
}

function isActive({ kind }: LogEntry): boolean {
  return kind === ACTIVE;
}

function toResolved(entry: LogEntry): LogEntry {
  return { ...entry, kind: RESOLVED, raw: entry.raw.replace(`] ${ACTIVE}`, `] ${RESOLVED}`) };
}

function hasSameContent(left: LogEntry, right: LogEntry): boolean {
  return left.title === right.title && JSON.stringify(left.fields) === JSON.stringify(right.fields);
}

function renderItems(items: readonly string[]): string {
  return items.map((item) => `- ${item.replace(/\s+/g, " ").trim()}`).join("\n");
}

function parseItems(value = ""): readonly string[] {
  return value.split("\n").flatMap((line) => /^- (.*)$/.exec(line)?.[1] ?? []);
}
