import { hashText } from "../../../src/core/hash.ts";

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/**
 * A letter for every memory of a session, so that readers cannot tell whose it is. The order of letters is another one in every
 * session; who joins later takes the next of them, and nobody's letter ever changes.
 */
export function assignLetters(
  session: string,
  known: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const key: Record<string, string> = { ...known };
  const given = new Set(Object.values(known));
  const free = shuffleLetters(session).filter((letter) => !(letter in known));
  for (const name of new Set(names)) {
    if (given.has(name)) continue;
    const letter = free.shift();
    if (letter === undefined) throw new TypeError(`a session has at most ${ALPHABET.length} memories`);
    key[letter] = name;
  }
  return key;
}

/** Ordered by what each letter hashes to next to the session's name: the same on every machine. */
function shuffleLetters(session: string): string[] {
  return ALPHABET.map((letter) => ({ letter, rank: hashText(`${session} ${letter}`) }))
    .sort((left, right) => (left.rank < right.rank ? -1 : 1))
    .map(({ letter }) => letter);
}
