import { findWords } from "./find-words.ts";
import type { TextIndex } from "./index-text.ts";

export interface Match {
  /** The share of the wanted words, by weight, from 0 to 1; less in a long passage. */
  readonly coverage: number;
  /** The segment of the passage that shares most. */
  readonly at: number;
  /** The passage: its first segment, and the one after its last. */
  readonly from: number;
  readonly end: number;
}

/** A passage is a sentence or list item with up to four that follow, because a thought often continues in the next. */
const MAX_SEGMENTS = 5;
/** A paraphrase of a long text repeats fewer of its words, so beyond this weight a share is enough. */
const ENOUGH_WEIGHT = 8;
const LONG_SHARE = 0.3;
/** One common word is chance. */
const MIN_WORDS = 2;
/** How fast a word loses weight with the number of its places: 32 of them make half a word. */
const WEIGHT_POWER = 0.2;

interface Sought {
  readonly weights: readonly number[];
  /** The weight that counts as full coverage. */
  readonly enough: number;
  /** The indices of the words that each segment holds. */
  readonly hits: ReadonlyMap<number, readonly number[]>;
}

/** The passages that hold enough of a phrase's words, the best first. */
export function findMatches(index: TextIndex, phrase: string): readonly Match[] {
  const words = findWords(phrase);
  const sought = seek(index, words);
  const least = Math.min(words.length, MIN_WORDS);
  const found: Match[] = [];
  for (const from of sought.hits.keys())
    for (let end = from + 1; end <= Math.min(from + MAX_SEGMENTS, index.segments.length); end++) {
      const match = matchPassage(index, sought, { from, end, least });
      if (match && match.coverage >= index.strictness.minCoverage) found.push(match);
    }
  return found.sort((left, right) => right.coverage - left.coverage || left.from - right.from || left.end - right.end);
}

function seek({ places }: TextIndex, words: readonly string[]): Sought {
  const hits = new Map<number, number[]>();
  const weights = words.map((word, number) => {
    const held = places.get(word) ?? [];
    for (const place of held) {
      const known = hits.get(place);
      if (known) known.push(number);
      else hits.set(place, [number]);
    }
    // A word that is frequent in the text tells passages apart less than a rare or absent one.
    return 1 / Math.max(1, held.length) ** WEIGHT_POWER;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const enough = total <= ENOUGH_WEIGHT ? total : ENOUGH_WEIGHT + (total - ENOUGH_WEIGHT) * LONG_SHARE;
  return { weights, hits, enough };
}

/** Each word counts once. A long passage holds some words of any sentence by chance, so beyond a length it counts less. */
function matchPassage(
  { segments, strictness }: TextIndex,
  { weights, hits, enough }: Sought,
  { from, end, least }: { readonly from: number; readonly end: number; readonly least: number },
): Match | undefined {
  const held = new Set<number>();
  let at = from;
  let length = 0;
  for (let place = from; place < end; place++) {
    const own = hits.get(place) ?? [];
    for (const number of own) held.add(number);
    if (own.length > (hits.get(at)?.length ?? 0)) at = place;
    length += segments[place]?.words ?? 0;
  }
  if (held.size < least) return undefined;
  const shared = [...held].reduce((sum, number) => sum + (weights[number] ?? 0), 0);
  return { coverage: Math.min(1, shared / enough) * Math.min(1, strictness.passageWords / length), at, from, end };
}

export function textAround({ segments }: TextIndex, { from, end }: Match): string {
  return segments
    .slice(Math.max(0, from - 1), end + 1)
    .map(({ text }) => text)
    .join(" ");
}
