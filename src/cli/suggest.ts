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

/** Levenshtein: how many letters must be added, dropped or changed. */
function measureDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...right].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
