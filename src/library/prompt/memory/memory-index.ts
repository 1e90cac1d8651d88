import { cutText, TRUNCATED } from "../../../core/clip-text.ts";
import { hashText } from "../../../core/hash.ts";
import { requireWhole } from "../../../core/require-option.ts";

/** A line of the index: a topic, and its file. */
interface IndexEntry {
  readonly title: string;
  /** A plain file name in the index's folder. */
  readonly file: string;
  readonly hint: string;
}

export const MEMORY_INDEX_FILE = "MEMORY.md";
export const MAX_INDEX_LINES = 200;
/** About 6,000 tokens. Without this limit, two hundred lines could have any length. */
const MAX_INDEX_CHARACTERS = 25_000;

const ENTRY = /^\s*[-*] \[([^\]\n]{1,200})\]\(([^)\s]{1,120})\)(?:\s*[:—-]\s*(.*))?$/;
const TOPIC_FILE = /^[a-z0-9][a-z0-9-]{0,79}\.md$/;

/** The part of the index that is always in the context: at most 200 lines, including the line that marks a cut. */
export function fitIndex(
  text: string,
  { maxCharacters = MAX_INDEX_CHARACTERS }: { maxCharacters?: number } = {},
): { readonly text: string; readonly isTruncated: boolean } {
  requireWhole(100, { maxCharacters });
  const lines = text.trimEnd().split(/\r?\n/);
  const left = lines.length - MAX_INDEX_LINES + 1;
  const whole = lines.join("\n");
  const inLines =
    lines.length <= MAX_INDEX_LINES
      ? whole
      : [...lines.slice(0, MAX_INDEX_LINES - 1), `${TRUNCATED} ${left} more lines in ${MEMORY_INDEX_FILE}`].join("\n");
  const fitted = cutText(inLines, maxCharacters);
  return { text: fitted, isTruncated: fitted !== whole };
}

/** Its entries, wherever they are. Other lines are the user's own. */
export function parseIndex(text: string): readonly IndexEntry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, title = "", file = "", hint = ""] = ENTRY.exec(line) ?? [];
    return isTopicFile(file) ? [{ title, file, hint: hint.trim() }] : [];
  });
}

/** Not a path: an index comes with a project, and must not lead anywhere else. */
export function isTopicFile(file: string): boolean {
  return TOPIC_FILE.test(file) && file !== MEMORY_INDEX_FILE.toLowerCase();
}

/** A topic's file: the one it names, otherwise its letters and digits, or a hash if it has none. */
export function nameTopicFile(topic: string): string {
  if (isTopicFile(topic)) return topic;
  const slug = topic
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
  if (slug !== "") return isTopicFile(`${slug}.md`) ? `${slug}.md` : `${slug}-topic.md`;
  return topic.trim() === "" ? "general.md" : `topic-${hashText(topic.trim()).slice(0, 8)}.md`;
}

export interface TurnMemory {
  readonly index: string;
  /** Only topics that the turn's task is about. */
  readonly topics: readonly { readonly file: string; readonly text: string }[];
}

const MAX_TOPIC_CHARACTERS = 4000;

/** Renders the memory for the context: the index always, topics only if requested. Use it in a dynamic section. */
export function renderMemory(
  { index, topics }: TurnMemory,
  { maxTopicCharacters = MAX_TOPIC_CHARACTERS }: { readonly maxTopicCharacters?: number } = {},
): string {
  requireWhole(100, { maxTopicCharacters });
  const parts = topics.map(({ file, text }) => `## ${file}\n\n${cutText(text.trim(), maxTopicCharacters)}`);
  return [fitIndex(index).text, ...parts].filter((part) => part !== "").join("\n\n");
}
