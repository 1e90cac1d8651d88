const MIN_NAME_CHARACTERS = 5;
/**
 * Longer runs are encoded data, not names. The bound also keeps the engine's stack: without it a run of ten million letters,
 * which one line of output may be, overflows it.
 */
const WORD = /(?<![\w$])[\w$]{4,60}(?![\w$])/g;

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
  if (/^\d/.test(word)) return /^\d+$/.test(word) || isHash(word);
  return word.length >= MIN_NAME_CHARACTERS && /[a-z][A-Z]|[A-Za-z\d$]_+[A-Za-z\d$]|\d/.test(word);
}

function isHash(word: string): boolean {
  return /^[\da-f]{7,40}$/.test(word) && /[a-f]/.test(word);
}
