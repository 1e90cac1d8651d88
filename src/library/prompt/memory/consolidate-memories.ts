import { toOneLine } from "../../../core/clip-text.ts";
import { parseIndex } from "./memory-index.ts";
import { INDEX_HEADER, isSameLesson, lessonOf, type MemoryTexts, renderMemoryEntry } from "./merge-memories.ts";

export interface ConsolidatedMemories {
  readonly index: string;
  /** Only the files that change, whole. */
  readonly changed: Readonly<Record<string, string>>;
  /** Lines that said again what an older line of the same topic says; the older one stays. */
  readonly repeated: readonly { readonly file: string; readonly line: string }[];
  /** Lines of the index whose topic is no more, or that name a topic a second time. */
  readonly unlisted: readonly string[];
  /** Topics that the index did not name. */
  readonly listed: readonly string[];
}

/**
 * Puts a memory in order without a model: one line of the index for each topic that there is, and no lesson twice in a topic.
 * Nothing is reworded, and what contradicts stays: which of two lessons holds is not ours to say. `topics` are all there are.
 */
export function consolidateMemories({ index, topics }: MemoryTexts): ConsolidatedMemories {
  const changed: Record<string, string> = {};
  const repeated: { readonly file: string; readonly line: string }[] = [];
  for (const [file, text] of Object.entries(topics)) {
    const kept: string[] = [];
    for (const line of text.split("\n")) {
      const lesson = lessonOf(line);
      const isKnown = lesson !== "" && kept.some((other) => isSameLesson(lessonOf(other), lesson));
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
    // A line that is no entry is the person's own.
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
  return renderMemoryEntry(toOneLine(title).replace(/[[\]]/g, "").slice(0, 100).trim() || file, file, newest);
}

function joinIndex(lines: readonly string[], added: readonly string[]): string {
  if (added.length === 0) return lines.join("\n");
  const before = lines.join("\n").replace(/\n+$/, "");
  return `${before === "" ? INDEX_HEADER : before}\n${added.join("\n")}\n`;
}
