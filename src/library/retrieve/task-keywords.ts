const MAX_KEYWORDS = 12;
const LEAST_LETTERS = 3;
/** A name written like code counts as much as a word used twice. */
const CODE_WORTH = 2;

/** Words common to all tasks: they say what to do, or nothing, but not with what. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    "a an and are as at be been but by can could did do does done for from get gets had has have how if in into is it its just",
    "let make makes may me more most must my need needs new no not now of off on one only or other our out over own please same",
    "should so some such than that the their them then there these they this those to too under until up use used uses using very want was we were",
    "what when where which while who why will with within without work works would you your also any all both each every few",
    "add adds added adding allow build change changed changes check create explain find fix fixes fixed fixing handle implement implements",
    "improve look move refactor remove rename replace review show support think try understand update updates write code file files bug issue task",
    "inside outside wrong wrongly right correct correctly incorrect broken breaks properly",
    "about after again against because before being below between during further here same through like instead sure way thing things",
  ].flatMap((line) => line.split(" ")),
);

/** `src/retry.ts`, `./retry.ts`, `retry.test.ts`. */
const FILE_NAME = /[\w@.+-]*(?:[\\/][\w@.+-]+)*\.[A-Za-z]\w{0,7}(?![\w/\\])/g;

/** Files that the task names, as written, without leading dots. */
export function listNamedFiles(task: string): readonly string[] {
  const names = (task.match(FILE_NAME) ?? []).map((name) => name.replaceAll("\\", "/").replace(/^[./]+/, ""));
  return [...new Set(names.filter((name) => name.length > LEAST_LETTERS))].slice(0, MAX_KEYWORDS);
}

/**
 * What to search for first: the task's own words in order, each once, without endings and without words that every task has. Names
 * written like code (`parseReply`, `max_retries`) also stay whole, because they are the most reliable. From a long text the most repeated
 * words are taken, not the first ones.
 */
export function listTaskKeywords(task: string): readonly string[] {
  const keywords = new Map<string, string>();
  const counts = new Map<string, number>();
  const count = (key: string, worth: number): unknown => counts.set(key, (counts.get(key) ?? 0) + worth);
  for (const [name] of task.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const words = splitTerms(name);
    if (words.length > 1 && /^[\w$]+$/.test(name)) {
      keywords.set(name, name);
      count(name, CODE_WORTH);
    }
    for (const word of words) {
      const bare = trimEnding(word);
      if (isInformative(word) && !STOP_WORDS.has(word) && !STOP_WORDS.has(bare)) {
        // "cache" and "caches" are one word.
        const [stem = bare] = stemsOf(bare);
        if (!keywords.has(stem)) keywords.set(stem, bare);
        count(stem, 1);
      }
    }
  }
  const worth = [...keywords.keys()].sort((left, right) => (counts.get(right) ?? 0) - (counts.get(left) ?? 0));
  const taken = new Set(worth.slice(0, MAX_KEYWORDS));
  return [...keywords].flatMap(([key, word]) => (taken.has(key) ? [word] : []));
}

/** Scripts that need few characters per word have no minimum length. */
function isInformative(word: string): boolean {
  return word.length >= LEAST_LETTERS || /[\u0250-\uffff]/.test(word);
}

/** `parseHTTPReply2`, `parse_http-reply` and "parse HTTP reply" all give parse, http, reply. */
function splitTerms(name: string): readonly string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase());
}

/** The stems by which words are compared. A final e is removed last, so that "cache", "caches" and "caching" match. */
export function stemsOf(text: string): readonly string[] {
  return splitTerms(text).map((word) => trimEnding(word).replace(/(?<=.{3})e$/, ""));
}

/** Removes the commonest English endings, so that "retries" also finds "retry". */
function trimEnding(word: string): string {
  const bare = word
    .replace(/(?<=.{3})(?:ies|ied)$/, "y")
    .replace(/(?<=.{4})(?:ing|ed)$/, "")
    .replace(/(?<=(?:ss|x|z|ch|sh))es$/, "")
    .replace(/(?<=.{2}[^su])s$/, "");
  // "stopping" and "stopped" now end in a doubled letter.
  return bare !== word && /([bdgmnprt])\1$/.test(bare) ? bare.slice(0, -1) : bare;
}
