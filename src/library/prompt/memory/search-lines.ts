import { listKeywords } from "./keywords.ts";

/** A transcript is searched, never loaded: these few characters are all that comes of it. */
export interface LineHit {
  /** From 1. */
  readonly line: number;
  readonly excerpt: string;
}

export interface SearchOptions {
  readonly maxHits?: number;
  readonly excerptCharacters?: number;
}

/** The lines that have the most words of a query, the newest of equals first; each as an excerpt around the first word found. */
export function searchLines(lines: Iterable<string>, query: string, options: SearchOptions = {}): readonly LineHit[] {
  const { maxHits = 10, excerptCharacters = 200 } = options;
  if (!Number.isInteger(maxHits) || maxHits < 1)
    throw new TypeError(`maxHits is ${maxHits}: use a whole number of at least 1`);
  if (!Number.isInteger(excerptCharacters) || excerptCharacters < 20)
    throw new TypeError(`excerptCharacters is ${excerptCharacters}: use a whole number of at least 20`);
  const words = [...listKeywords(query)];
  let best: { readonly line: number; readonly score: number; readonly excerpt: string }[] = [];
  let line = 0;
  for (const text of lines) {
    line += 1;
    const places = findWords(text, words);
    if (places.length === 0) continue;
    best.push({ line, score: places.length, excerpt: cutAround(text, Math.min(...places), excerptCharacters) });
    // However long the transcript, little is held.
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
