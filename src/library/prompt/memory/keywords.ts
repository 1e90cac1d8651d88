const COMMON: ReadonlySet<string> = new Set(
  (
    "the and for with from that this what when where which have has are was were will would should could can not but " +
    "all any how why who its our your you they them then than into onto over under about after before does did done use " +
    "make made get got let new old one two also just only some more most such very please need want file files code"
  ).split(" "),
);
const LEAST_LETTERS = 3;

/** The words that tell one text from another, each once, in their plainest form. */
export function listKeywords(text: string): ReadonlySet<string> {
  const parted = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  const words = parted.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => isTelling(word)).map(stem));
}

function isTelling(word: string): boolean {
  if (COMMON.has(word)) return false;
  // Scripts without spaces say more in two signs than Latin words do in three letters.
  return word.length >= LEAST_LETTERS || (word.length >= 2 && /[^\p{Script=Latin}\p{N}]/u.test(word));
}

/** Plurals and the commonest endings: "tests" meets "testing". */
function stem(word: string): string {
  if (word.length <= 4) return word.replace(/(?<=[^s])s$/, "");
  return word.replace(/(?:ies|ing|ed|es|s)$/, "");
}
