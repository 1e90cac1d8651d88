import { requireWhole } from "../../../core/require-option.ts";
import { parseIndex } from "./memory-index.ts";

/** A transcript is searched, never loaded: only these short excerpts enter the context. */
export interface LineHit {
  /** From 1. */
  readonly line: number;
  readonly excerpt: string;
}

export interface SearchOptions {
  readonly maxHits?: number;
  readonly excerptCharacters?: number;
}

/** The lines with the most words of a query, newer ones first among equals; each as an excerpt around the first word found. */
export function searchLines(lines: Iterable<string>, query: string, options: SearchOptions = {}): readonly LineHit[] {
  const { maxHits = 10, excerptCharacters = 200 } = options;
  requireWhole(1, { maxHits });
  requireWhole(20, { excerptCharacters });
  const words = [...listKeywords(query)];
  let best: { readonly line: number; readonly score: number; readonly excerpt: string }[] = [];
  let line = 0;
  for (const text of lines) {
    line += 1;
    const places = findWords(text, words);
    if (places.length === 0) continue;
    best.push({ line, score: places.length, excerpt: cutAround(text, Math.min(...places), excerptCharacters) });
    // Keeps memory small, however long the transcript is.
    if (best.length > maxHits * 4) best = chooseBest(best, maxHits);
  }
  return chooseBest(best, maxHits).map(({ line: at, excerpt }) => ({ line: at, excerpt }));
}

function findWords(text: string, words: readonly string[]): readonly number[] {
  const lower = text.toLowerCase();
  return words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
}

function chooseBest<T extends { readonly score: number; readonly line: number }>(hits: readonly T[], max: number): T[] {
  return [...hits].sort((left, right) => right.score - left.score || right.line - left.line).slice(0, max);
}

function cutAround(text: string, at: number, room: number): string {
  const from = Math.max(0, Math.min(at - Math.floor(room / 4), text.length - room));
  return text.slice(from, from + room).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}

const COMMON: ReadonlySet<string> = new Set(
  (
    "the and for with from that this what when where which have has are was were will would should could can not but " +
    "all any how why who its our your you they them then than into onto over under about after before does did done use " +
    "make made get got let new old one two also just only some more most such very please need want file files code"
  ).split(" "),
);
const LEAST_LETTERS = 3;

/** The distinctive words of a text, each once, stemmed. */
function listKeywords(text: string): ReadonlySet<string> {
  const parted = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  const words = parted.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => isInformative(word)).map(stem));
}

function isInformative(word: string): boolean {
  if (COMMON.has(word)) return false;
  // In scripts without spaces, two characters say more than three Latin letters.
  return word.length >= LEAST_LETTERS || (word.length >= 2 && /[^\p{Script=Latin}\p{N}]/u.test(word));
}

/** Plurals and the commonest endings, so that "tests" matches "testing". */
function stem(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=[^s])s$/, "");
  return word.replace(/(?:ies|ing|ed|es|s)$/, "");
}

const MAX_TOPICS = 3;

/**
 * The files of the topics that a task is about, most relevant first. A shared word counts more the fewer index lines have it. The whole
 * index is searched, even the part that does not fit into the context. Empty if no word is shared.
 */
export function selectTopics(
  index: string,
  task: string,
  { maxTopics = MAX_TOPICS }: { readonly maxTopics?: number } = {},
): readonly string[] {
  requireWhole(0, { maxTopics });
  const entries = parseIndex(index).map(({ title, hint, file }) => {
    return { file, words: listKeywords(`${title} ${hint} ${file.replace(/\.md$/, "")}`) };
  });
  const weights = [...listKeywords(task)].map((word) => {
    const count = entries.filter(({ words }) => words.has(word)).length;
    return { word, weight: count === 0 ? 0 : Math.log(1 + entries.length / count) };
  });
  const files = entries
    .map(({ file, words }) => {
      return { file, score: weights.reduce((sum, { word, weight }) => sum + (words.has(word) ? weight : 0), 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .map(({ file }) => file);
  return [...new Set(files)].slice(0, maxTopics);
}
