import { toOneLine } from "../../../core/clip-text.ts";
import { cutText } from "../../../core/cut-text.ts";
import { nameTopicFile, parseIndex } from "./memory-index.ts";

/** A lesson drawn from a conversation, to outlive it. */
export interface ExtractedMemory {
  readonly topic: string;
  readonly text: string;
}

/** The durable side: what is in the memory's files, by name. */
export interface MemoryTexts {
  readonly index: string;
  readonly topics: Readonly<Record<string, string>>;
}

export interface MergedMemories {
  /** The index as it will be; the identical text where nothing is new. */
  readonly index: string;
  /** Only the files that change, whole. */
  readonly changed: Readonly<Record<string, string>>;
  readonly added: readonly MergedMemory[];
  /** Known already: the older line stays, with its date. */
  readonly duplicates: readonly MergedMemory[];
}

export interface MergedMemory {
  readonly file: string;
  readonly text: string;
}

const MAX_MEMORY_CHARACTERS = 600;
const HINT_CHARACTERS = 100;
export const INDEX_HEADER = "# Memory";
const LINE = /^- (?:\d{4}-\d\d-\d\d: )?(.*)$/;

/**
 * Adds what is new at the end of its topic, dated, and a line to the index for a topic that has none. Lines are only ever added:
 * what a person wrote or an earlier session learned stays as it is, also where the new one contradicts it.
 */
export function mergeMemories(
  texts: MemoryTexts,
  extracted: readonly ExtractedMemory[],
  { date }: { readonly date: string },
): MergedMemories {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new TypeError(`date is "${date}": use YYYY-MM-DD`);
  const changed = new Map<string, string>();
  const added: MergedMemory[] = [];
  const duplicates: MergedMemory[] = [];
  const indexed = new Set(parseIndex(texts.index).map(({ file }) => file));
  let index = texts.index;
  for (const { topic, text: given } of extracted) {
    const text = cutText(toOneLine(given), MAX_MEMORY_CHARACTERS).replace(/\n/g, " ");
    if (text === "") continue;
    const title = toOneLine(topic).replace(/[[\]]/g, "").slice(0, 100).trim();
    const file = nameTopicFile(topic);
    const before = changed.get(file) ?? textOf(texts, file) ?? `# ${title === "" ? "General" : title}\n`;
    if (listTexts(before).has(normalise(text))) {
      duplicates.push({ file, text });
      continue;
    }
    changed.set(file, appendLine(before, `- ${date}: ${text}`));
    added.push({ file, text });
    if (indexed.has(file)) continue;
    indexed.add(file);
    index = appendLine(index === "" ? INDEX_HEADER : index, renderMemoryEntry(title, file, text));
  }
  return { index, changed: Object.fromEntries(changed), added, duplicates };
}

function textOf({ topics }: MemoryTexts, file: string): string | undefined {
  return Object.hasOwn(topics, file) ? topics[file] : undefined;
}

export function renderMemoryEntry(title: string, file: string, text: string): string {
  const hint = text.length <= HINT_CHARACTERS ? text : `${text.slice(0, HINT_CHARACTERS - 1).trimEnd()}…`;
  return `- [${title === "" ? "General" : title}](${file}): ${hint}`;
}

function appendLine(text: string, line: string): string {
  return text === "" || text.endsWith("\n") ? `${text}${line}\n` : `${text}\n${line}\n`;
}

function listTexts(topic: string): ReadonlySet<string> {
  const texts = topic.split(/\r?\n/).map(lessonOf);
  return new Set(texts.filter((text) => text !== "").map(normalise));
}

/** What a line of a topic teaches, without its date; empty for a line that is no lesson. */
export function lessonOf(line: string): string {
  return LINE.exec(line)?.[1] ?? "";
}

export function isSameLesson(left: string, right: string): boolean {
  return normalise(left) === normalise(right);
}

/** Case, spaces and the end mark do not make another lesson. */
function normalise(text: string): string {
  return toOneLine(text)
    .toLowerCase()
    .replace(/[.!;,]{1,9}$/, "");
}
