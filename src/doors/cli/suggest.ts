import { measureDistance } from "../../core/edit-distance.ts";

/** The nearest of some words, if it is near enough to be what was meant. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.ceil(word.length / 3) + 1;
  for (const candidate of known) {
    const distance = candidate.startsWith(word) ? 1 : measureDistance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}
