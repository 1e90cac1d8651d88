/** Where a name was seen. What was written or said weighs more than what only passed by in a result. */
export const TERM_PLACES = ["words", "edits", "texts", "inputs", "errors", "results"] as const;
export type TermPlace = (typeof TERM_PLACES)[number];

export interface TermRecord {
  readonly term: string;
  readonly lastRequest: number;
  /** The number of texts per place, in the order of `TERM_PLACES`. */
  readonly counts: readonly number[];
}

export interface TermTracker {
  note(text: string, place: TermPlace, request: number): void;
  state(): readonly TermRecord[];
}

/** The least recently seen go first. */
const MAX_TERMS = 20_000;

export function createTermTracker(saved: readonly TermRecord[] = []): TermTracker {
  const terms = new Map<string, { lastRequest: number; counts: number[] }>(
    saved.map(({ term, lastRequest, counts }) => [term, { lastRequest, counts: [...counts] }]),
  );
  return {
    note(text, place, request) {
      const at = TERM_PLACES.indexOf(place);
      for (const term of findTerms(text)) {
        const known = terms.get(term) ?? { lastRequest: request, counts: TERM_PLACES.map(() => 0) };
        known.lastRequest = request;
        known.counts[at] = (known.counts[at] ?? 0) + 1;
        terms.delete(term);
        terms.set(term, known);
      }
      for (const term of terms.keys()) {
        if (terms.size <= MAX_TERMS) break;
        terms.delete(term);
      }
    },
    state: () => [...terms].map(([term, { lastRequest, counts }]) => ({ term, lastRequest, counts: counts.slice() })),
  };
}

/** In the order of `TERM_PLACES`: round numbers, not fitted ones. */
const WEIGHTS: readonly number[] = [6, 6, 4, 3, 3, 1];
/** After so many requests a name counts half. */
const HALF_LIFE_REQUESTS = 40;

/** The names likely to be needed next come first: seen recently, often, and in what was asked, changed or said. */
export function rankTerms(terms: readonly TermRecord[], request: number): readonly string[] {
  const scored = terms.map(({ term, lastRequest, counts }) => ({
    term,
    score: scoreTerm(counts, request - lastRequest),
  }));
  return scored
    .sort((left, right) => right.score - left.score || (left.term < right.term ? -1 : 1))
    .map(({ term }) => term);
}

function scoreTerm(counts: readonly number[], age: number): number {
  const weight = counts.reduce((sum, count, at) => sum + (WEIGHTS[at] ?? 0) * Math.log2(1 + count), 0);
  return weight * 0.5 ** (Math.max(0, age) / HALF_LIFE_REQUESTS);
}

const MIN_NAME_CHARACTERS = 5;
/** Longer runs are encoded data. The limit also protects the engine's stack, which a run of ten million letters in one line would overflow. */
const WORD = /(?<![\w$])[\w$]{4,60}(?![\w$])/g;

/** What a reader cannot guess: names in code (with a hump, an underscore or a digit), numbers of four digits and more, and hashes. Each once. */
export function findTerms(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const [word] of text.matchAll(WORD)) if (isTerm(word)) terms.add(word);
  return terms;
}

function isTerm(word: string): boolean {
  if (/^\d/.test(word)) return /^\d+$/.test(word) || (/^[\da-f]{7,40}$/.test(word) && /[a-f]/.test(word));
  return word.length >= MIN_NAME_CHARACTERS && /[a-z][A-Z]|[A-Za-z\d$]_+[A-Za-z\d$]|\d/.test(word);
}
