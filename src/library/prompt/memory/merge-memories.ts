import { cutText, toOneLine } from "../../../core/clip-text.ts";
import { nameTopicFile, parseIndex } from "./memory-index.ts";

/** A lesson from a conversation, to be kept after it. */
export interface ExtractedMemory {
  readonly topic: string;
  readonly text: string;
}

export interface MemoryTexts {
  readonly index: string;
  readonly topics: Readonly<Record<string, string>>;
}

export interface MergedMemories {
  /** The new index; the identical text if nothing is new. */
  readonly index: string;
  /** Only the files that change, whole. */
  readonly changed: Readonly<Record<string, string>>;
  readonly added: readonly MergedMemory[];
  /** Already known: the older line stays, with its date. */
  readonly duplicates: readonly MergedMemory[];
}

export interface MergedMemory {
  readonly file: string;
  readonly text: string;
}

const MAX_MEMORY_CHARACTERS = 600;
const HINT_CHARACTERS = 100;
const INDEX_HEADER = "# Memory";
const LINE = /^- (?:\d{4}-\d\d-\d\d: )?(.*)$/;

/**
 * Adds new lessons at the end of their topic, dated, and a line to the index for each new topic. Lines are only added: what a person
 * wrote or an earlier session learned stays, even if the new lesson contradicts it.
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
    const title = cleanTitle(topic) || "General";
    const file = nameTopicFile(topic);
    const known = Object.hasOwn(texts.topics, file) ? texts.topics[file] : undefined;
    const before = changed.get(file) ?? known ?? `# ${title}\n`;
    if (before.split(/\r?\n/).some((line) => isLesson(line, text))) {
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

/** Without what would end a link. */
function cleanTitle(title: string): string {
  return toOneLine(title).replace(/[[\]]/g, "").slice(0, 100).trim();
}

function renderMemoryEntry(title: string, file: string, text: string): string {
  const hint = text.length <= HINT_CHARACTERS ? text : `${text.slice(0, HINT_CHARACTERS - 1).trimEnd()}…`;
  return `- [${title}](${file}): ${hint}`;
}

function appendLine(text: string, line: string): string {
  return text === "" || text.endsWith("\n") ? `${text}${line}\n` : `${text}\n${line}\n`;
}

/** The lesson in a topic's line, without its date; empty if the line is not a lesson. */
function lessonOf(line: string): string {
  return LINE.exec(line)?.[1] ?? "";
}

function isLesson(line: string, lesson: string): boolean {
  const known = lessonOf(line);
  return known !== "" && normalise(known) === normalise(lesson);
}

/** Case, spaces and final punctuation do not make another lesson. */
function normalise(text: string): string {
  return toOneLine(text)
    .toLowerCase()
    .replace(/[.!;,]{1,9}$/, "");
}

export interface ConsolidatedMemories {
  readonly index: string;
  /** Only the files that change, whole. */
  readonly changed: Readonly<Record<string, string>>;
  /** Lines that repeat an older line of the same topic, which stays. */
  readonly repeated: readonly { readonly file: string; readonly line: string }[];
  /** Index lines whose topic no longer exists, or that name a topic again. */
  readonly unlisted: readonly string[];
  readonly listed: readonly string[];
}

/**
 * Tidies a memory without a model: one index line per existing topic, and no lesson twice in a topic. Nothing is reworded, and
 * contradictions stay, because we cannot decide which lesson holds. `topics` must be complete.
 */
export function consolidateMemories({ index, topics }: MemoryTexts): ConsolidatedMemories {
  const changed: Record<string, string> = {};
  const repeated: { file: string; line: string }[] = [];
  for (const [file, text] of Object.entries(topics)) {
    const kept: string[] = [];
    for (const line of text.split("\n")) {
      const lesson = lessonOf(line);
      const isKnown = lesson !== "" && kept.some((other) => isLesson(other, lesson));
      if (isKnown) repeated.push({ file, line });
      else kept.push(line);
    }
    const together = kept.join("\n");
    if (together !== text) changed[file] = together;
  }
  const unlisted: string[] = [];
  const named = new Set<string>();
  const lines = index.split("\n").filter((line) => {
    const [entry] = parseIndex(line);
    // A line that is not an entry is the user's own.
    if (!entry) return true;
    const isGood = Object.hasOwn(topics, entry.file) && !named.has(entry.file);
    if (!isGood) unlisted.push(line);
    named.add(entry.file);
    return isGood;
  });
  const listed = Object.keys(topics).filter((file) => !named.has(file));
  const added = listed.map((file) => renderTopicEntry(file, changed[file] ?? topics[file] ?? ""));
  return { index: joinIndex(lines, added), changed, repeated, unlisted, listed };
}

function renderTopicEntry(file: string, text: string): string {
  const lines = text.split("\n");
  const title = lines.find((line) => line.startsWith("# "))?.slice(2) ?? "";
  const newest = lines.map(lessonOf).findLast((lesson) => lesson !== "") ?? "";
  return renderMemoryEntry(cleanTitle(title) || file, file, newest);
}

function joinIndex(lines: readonly string[], added: readonly string[]): string {
  if (added.length === 0) return lines.join("\n");
  const before = lines.join("\n").replace(/\n+$/, "");
  return `${before === "" ? INDEX_HEADER : before}\n${added.join("\n")}\n`;
}
