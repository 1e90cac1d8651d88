import { findHandles } from "../../src/fold/marker.ts";

export interface SentRequest {
  /** The messages as the client gave them, and as they left. */
  readonly given: readonly unknown[];
  readonly sent: readonly unknown[];
  /** What was stored so far, by handle. */
  readonly originals: ReadonlyMap<string, string>;
}

/**
 * Whatever stands in a request that was not said there, each as a sentence: a word of another run or of an earlier state of
 * this one, a handle whose original was not said there, a reason that is not one there.
 */
export function findLies({ given, sent, originals }: SentRequest): readonly string[] {
  const [before, after] = [JSON.stringify(given), JSON.stringify(sent)];
  const words = listWords(before);
  // A preview may break off in the middle of a word.
  const isKnown = (word: string): boolean => words.has(word) || [...words].some((known) => known.startsWith(word));
  const foreign = (text: string): readonly string[] => [...listWords(text)].filter((word) => !isKnown(word));
  return [
    ...foreign(after).map((word) => `shows ${word}`),
    ...findHandles(after).flatMap((handle) => {
      const original = originals.get(handle);
      if (original === undefined) return [`names ${handle}, which nobody stored`];
      return foreign(original).map((word) => `names ${handle}, which holds ${word}`);
    }),
    ...findFalseReasons(before, after),
  ];
}

function listWords(text: string): ReadonlySet<string> {
  return new Set(text.match(/\b(?:alpha|beta|both)_\w+/g) ?? []);
}

/** A read that gave way to a later call on its file: there must be one. */
function findFalseReasons(before: string, after: string): readonly string[] {
  return [...after.matchAll(/\[CLEARED: \S+ (\S+) — (\w+ ?\w*) since/g)].flatMap(([marker, path = ""]) =>
    before.split(`"path":${JSON.stringify(path)}`).length > 2 ? [] : [`says "${marker}", and nothing came since`],
  );
}
