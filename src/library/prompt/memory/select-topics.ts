import { listKeywords } from "./keywords.ts";
import { type IndexEntry, parseIndex } from "./memory-index.ts";

export interface SelectedTopic extends IndexEntry {
  /** Why it was chosen: the words of the task that its line has. */
  readonly words: readonly string[];
}

const MAX_TOPICS = 3;

/**
 * The topics that a task is about, most telling first: shared words count the more, the fewer lines of the index have them. The
 * whole index is searched, also what of it has no room in the context. None where no word is shared.
 */
export function selectTopics(
  index: string,
  task: string,
  { maxTopics = MAX_TOPICS }: { readonly maxTopics?: number } = {},
): readonly SelectedTopic[] {
  if (!Number.isInteger(maxTopics) || maxTopics < 0)
    throw new TypeError(`maxTopics is ${maxTopics}: use a whole number of at least 0`);
  const entries = parseIndex(index).map((entry) => ({
    entry,
    words: listKeywords(`${entry.title} ${entry.hint} ${entry.file.replace(/\.md$/, "")}`),
  }));
  const wanted = [...listKeywords(task)];
  const weights = new Map(
    wanted.map((word) => {
      const count = entries.filter(({ words }) => words.has(word)).length;
      return [word, count === 0 ? 0 : Math.log(1 + entries.length / count)];
    }),
  );
  const scored = entries.map(({ entry, words }) => {
    const shared = wanted.filter((word) => words.has(word));
    return { ...entry, words: shared, score: shared.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0) };
  });
  return uniqueFiles(scored.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score))
    .slice(0, maxTopics)
    .map(({ title, file, hint, words }) => ({ title, file, hint, words }));
}

function uniqueFiles<T extends IndexEntry>(entries: readonly T[]): readonly T[] {
  return entries.filter(({ file }, index) => entries.findIndex((other) => other.file === file) === index);
}
