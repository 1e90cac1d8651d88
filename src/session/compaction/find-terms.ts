/** Longer runs are encoded data, not names. */
const MAX_TERM_CHARACTERS = 60;
const MIN_NAME_CHARACTERS = 5;
const WORD = /[\w$]{4,}/g;

/**
 * What a reader cannot guess and has to have seen: names of code (a hump, an underscore or a digit in them), numbers of four
 * digits and more, and hashes. Each once, in order of appearance.
 */
export function findTerms(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const [word] of text.matchAll(WORD)) if (isTerm(word)) terms.add(word);
  return terms;
}

function isTerm(word: string): boolean {
  if (word.length > MAX_TERM_CHARACTERS) return false;
  if (/^\d/.test(word)) return /^\d+$/.test(word) || isHash(word);
  return word.length >= MIN_NAME_CHARACTERS && /[a-z][A-Z]|[A-Za-z\d$]_+[A-Za-z\d$]|\d/.test(word);
}

function isHash(word: string): boolean {
  return /^[\da-f]{7,40}$/.test(word) && /[a-f]/.test(word);
}
