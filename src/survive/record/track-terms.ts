import { findTerms } from "./find-terms.ts";

/** Where a name was met. What was written or said weighs more than what merely went by in a result. */
export const TERM_PLACES = ["words", "edits", "texts", "inputs", "errors", "results"] as const;
export type TermPlace = (typeof TERM_PLACES)[number];

export interface TermRecord {
  readonly term: string;
  readonly lastRequest: number;
  /** In how many texts of each place, in the order of `TERM_PLACES`. */
  readonly counts: readonly number[];
}

export interface TermTracker {
  note(text: string, place: TermPlace, request: number): void;
  state(): readonly TermRecord[];
}

/** Those met longest ago go first. */
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

/** The names likely to be needed next first: met lately, often, and in what was asked, changed or said. */
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
