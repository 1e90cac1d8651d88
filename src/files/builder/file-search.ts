import { redactSecrets } from "../../fold/redact-secrets.ts";
import type { Search } from "../../library/retrieve/retrieve.ts";
import { readTree, type TreeFile } from "./walk-tree.ts";

/** The files of a folder for `retrieve`, without ignored, binary and very large files. Reads the folder once. */
export function createFileSearch(folder: string): Search {
  return createTreeSearch(readTree(folder, { clockMs: () => performance.now() }).files);
}

/** Weight of an occurrence in the path; those in the text together count at most 1. */
const IN_PATH = 1;
const HALF_COUNT = 2;
/** In a longer text an occurrence counts proportionally less. */
const NARROW_CHARACTERS = 20_000;
/** Counting more of them changes little. */
const MAX_COUNT = 100;

/** Searches for terms as parts of words, in any case. The rarer a term in the tree, the more it counts. */
export function createTreeSearch(files: readonly TreeFile[]): Search {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const lowered = files.map(({ path, text }) => ({
    path,
    name: path.toLowerCase(),
    text: text.toLowerCase(),
    half: HALF_COUNT * Math.max(1, text.length / NARROW_CHARACTERS),
  }));
  const find = (terms: readonly string[], limit: number): readonly string[] => {
    const worth = new Map<string, number>();
    for (const term of terms.map((given) => given.toLowerCase()).filter((given) => given !== "")) {
      const hits = lowered
        .map(({ path, name, text, half }) => {
          const count = countOccurrences(text, term);
          return { path, worth: count / (count + half) + (name.includes(term) ? IN_PATH : 0) };
        })
        .filter((hit) => hit.worth > 0);
      const rarity = Math.log(1 + lowered.length / (1 + hits.length));
      for (const hit of hits) worth.set(hit.path, (worth.get(hit.path) ?? 0) + rarity * hit.worth);
    }
    return [...worth]
      .sort(([leftPath, left], [rightPath, right]) => right - left || (leftPath < rightPath ? -1 : 1))
      .slice(0, limit)
      .map(([path]) => path);
  };
  return {
    find: async (terms, limit) => find(terms, limit),
    // Names found in a text are shown and searched for, so keys must not be among them.
    textOf: async (path) => {
      const text = texts.get(path);
      return text === undefined ? undefined : redactSecrets(text);
    },
  };
}

function countOccurrences(text: string, term: string): number {
  let count = 0;
  for (let at = text.indexOf(term); at >= 0 && count < MAX_COUNT; at = text.indexOf(term, at + term.length)) count++;
  return count;
}
