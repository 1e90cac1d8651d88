import { toOneLine } from "../../core/clip-text.ts";
import { parseStamp, renderStamp } from "./stamp.ts";

/** One entry of a log such as `decisions.md`: a heading with its time, and labelled fields. */
export interface LogEntry {
  /** `undefined` if the heading has no valid timestamp. */
  readonly atMs: number | undefined;
  /** `Decision`, `Convention`, `Session Summary`. */
  readonly kind: string;
  readonly title: string;
  /** In the order of the file. If a label occurs twice, the second counts. */
  readonly fields: Readonly<Record<string, string>>;
  readonly raw: string;
}

interface EntryLog {
  readonly preamble: string;
  readonly entries: readonly LogEntry[];
}

/** What an entry says, without its kind and time. */
export type EntryDraft = Pick<LogEntry, "title" | "fields">;

export type NewEntry = EntryDraft & { readonly kind: string; readonly atMs: number };

const HEADING = /^## \[([^\]\n]{0,30})\] ([^:\n]{1,60})(?:: ([^\n]*))?$/;
const FIELD = /^\*\*([A-Z][^*:\n]{0,40}):\*\*(?: ([^\n]*))?$/;

/** `renderLog(parseLog(text)) === text` for any text: what is not an entry is carried along. */
export function parseLog(text: string): EntryLog {
  const [preamble = "", ...raws] = text.split(/(?<=^|\n)(?=## \[)/);
  const isHeaded = preamble.startsWith("## [");
  return { preamble: isHeaded ? "" : preamble, entries: (isHeaded ? [preamble, ...raws] : raws).map(parseEntry) };
}

export function renderLog({ preamble, entries }: EntryLog): string {
  return preamble + entries.map(({ raw }) => raw).join("");
}

function parseEntry(raw: string): LogEntry {
  const [heading = "", ...lines] = raw.split("\n").map((line) => line.replace(/\r$/, ""));
  const [, stamp = "", kind = "", title = ""] = HEADING.exec(heading) ?? [];
  const fields = new Map<string, string[]>();
  let value: string[] | undefined;
  for (const line of lines) {
    const [, label, first = ""] = FIELD.exec(line) ?? [];
    if (label === undefined) value?.push(line.startsWith("  ") ? line.slice(2) : line);
    else {
      value = [first];
      fields.set(label, value);
    }
  }
  const pairs = [...fields].map(([label, parts]) => [label, parts.join("\n").trim()] as const);
  return { atMs: parseStamp(stamp), kind: kind.trim(), title: title.trim(), fields: Object.fromEntries(pairs), raw };
}

export function createEntry({ atMs, kind, title, fields }: NewEntry): LogEntry {
  const heading = `## [${renderStamp(atMs)}] ${kind}${title === "" ? "" : `: ${toOneLine(title)}`}`;
  return parseEntry(`${[heading, "", ...Object.entries(fields).map(renderField)].join("\n")}\n`);
}

/** Lists go below their label. Further lines of other values are indented, so that none can look like a label or the next entry's heading. */
function renderField([label, value]: readonly [string, string]): string {
  const [first = "", ...rest] = normaliseValue(value).split("\n");
  const lines = rest.map((line) => (line === "" || line.startsWith("- ") ? line : `  ${line}`));
  if (first === "") return `**${label}:**`;
  return [first.startsWith("- ") ? `**${label}:**\n${first}` : `**${label}:** ${first}`, ...lines].join("\n");
}

/** Appends the entries that are not there yet. The returned text always begins with the given text. */
export function appendEntries(text: string, header: string, added: readonly NewEntry[]): string {
  let result = text;
  const known = new Set(parseLog(text).entries.map(identify));
  for (const entry of added) {
    const created = createEntry(entry);
    const key = identify(created);
    if (known.has(key)) continue;
    known.add(key);
    result = `${openSlot(result, header)}${created.raw}`;
  }
  return result;
}

/** The text with a blank line at its end, ready for one more entry. */
export function openSlot(text: string, header: string): string {
  if (text.trim() === "") return `${text}# ${header}\n\n`;
  if (text.endsWith("\n\n")) return text;
  return text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
}

/** Two entries with the same identity are the same, whenever they were written. */
function identify({ kind, title, fields }: LogEntry): string {
  return JSON.stringify([kind, title, fields]);
}

export function normaliseValue(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}

/** A list as the value of a field; empty for no items. */
export function renderBullets(items: readonly string[], mark = "- "): string {
  const lines = items.map(toOneLine).filter((line) => line !== "");
  return lines.map((line) => mark + line).join("\n");
}

export function parseBullets(value = ""): readonly string[] {
  return value.split("\n").flatMap((line) => /^- (?:\[[ x]\] )?(.*)$/.exec(line.trim())?.[1] ?? []);
}

export interface Merged {
  readonly text: string;
  /** What had to go, unchanged: the caller stores it elsewhere. */
  readonly evicted: readonly string[];
}

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
  const resolve = (raw: string): string => raw.replace(`] ${ACTIVE}`, `] ${RESOLVED}`);
  const entries = log.entries.map((each) =>
    each.kind === ACTIVE ? { ...each, kind: RESOLVED, raw: resolve(each.raw) } : each,
  );
  const surplus = new Set(entries.filter(({ kind }) => kind === RESOLVED).slice(0, -MAX_RESOLVED));
  const kept = renderLog({ ...log, entries: entries.filter((each) => !surplus.has(each)) });
  return { text: openSlot(kept, "Checkpoint") + entry.raw, evicted: [...surplus].map(({ raw }) => raw) };
}
