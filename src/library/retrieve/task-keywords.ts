import { splitTerms, stemsOf, trimEnding } from "./split-words.ts";

const MAX_KEYWORDS = 12;
const LEAST_LETTERS = 3;

/** Words of tasks in general: they say what to do, or nothing, but not with what. */
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

/**
 * What to search for first: the task's own words, in their order, each once, without endings and without words that every task
 * has. Names that are written like code (`parseReply`, `max_retries`) also stay whole: they are the surest of all.
 */
export function listTaskKeywords(task: string): readonly string[] {
  const keywords = new Map<string, string>();
  for (const [name] of task.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const words = splitTerms(name);
    if (words.length > 1 && /^[\w$]+$/.test(name)) keywords.set(name, name);
    for (const word of words) {
      const bare = trimEnding(word);
      if (isTelling(word) && !STOP_WORDS.has(word) && !STOP_WORDS.has(bare)) {
        // "cache" and "caches" are one word.
        const [stem = bare] = stemsOf(bare);
        if (!keywords.has(stem)) keywords.set(stem, bare);
      }
    }
  }
  return [...keywords.values()].slice(0, MAX_KEYWORDS);
}

/** Scripts that need few letters for a word have no least length. */
function isTelling(word: string): boolean {
  return word.length >= LEAST_LETTERS || /[\u0250-\uffff]/.test(word);
}
