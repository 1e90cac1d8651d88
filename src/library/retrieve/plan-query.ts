/** How many terms the search after the first is given. */
const MAX_TERMS = 12;
const MAX_NEW_TERMS = 6;
const LEAST_LETTERS = 3;

export interface QueryState {
  /** The task's own words. */
  readonly keywords: readonly string[];
  /** Names found in the files that scored best, the best first. */
  readonly discovered: readonly string[];
  /** What was searched for in each cycle so far. */
  readonly earlier: readonly (readonly string[])[];
}

/**
 * What to search for in the next cycle: never the same twice. Names that were found come first, then the words they came
 * from; where nothing was found, the beginnings of the words that were tried. `undefined` where there is nothing left to try.
 */
export function planQuery({ keywords, discovered, earlier }: QueryState): readonly string[] | undefined {
  if (earlier.length === 0) return keywords.length === 0 ? undefined : keywords;
  const tried = new Set(earlier.flat());
  const fresh = discovered.filter((term) => !tried.has(term)).slice(0, MAX_NEW_TERMS);
  if (fresh.length > 0) return [...fresh, ...keywords].slice(0, MAX_TERMS);
  const shorter = keywords.map((keyword) => shorten(keyword, earlier.length)).filter((term) => !tried.has(term));
  return shorter.length === 0 ? undefined : [...new Set(shorter)];
}

/** The beginning of a word, shorter from cycle to cycle: "authentication", "authent", "aut". */
function shorten(word: string, cycle: number): string {
  return word.slice(0, Math.max(LEAST_LETTERS, Math.ceil(word.length / 2 ** cycle)));
}
