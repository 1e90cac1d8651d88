/** One thing that a source says: a fact ("port: 8080") or a rule ("never commit to main"). */
export interface Claim {
  readonly source: string;
  /** The words as they stand there. */
  readonly text: string;
  /** What it is about, without case, articles and marks: two sources meet here. */
  readonly subject: string;
  /** What it says of the subject; empty for a rule, which says yes or no. */
  readonly value: string;
  readonly isNegated: boolean;
}

const NEGATIONS = ["do not", "don't", "must not", "mustn't", "should not", "shouldn't", "never", "avoid", "no"];
const AFFIRMATIONS = ["always", "must", "should", "please", "do"];
const ARTICLES = new Set(["the", "a", "an"]);
/** Words before a colon that say what a line is, not what it is about: two notes do not contradict each other. */
const LABELS = new Set(["note", "todo", "example", "see", "warning", "tip", "important", "why", "reason", "caution"]);
/** A subject of more words is a sentence that happens to have a colon in it. */
const SUBJECT_WORDS = 6;

/** The claim in a line of an instruction file, a memory or a decision; `undefined` where the line says nothing. */
export function parseClaim(source: string, line: string): Claim | undefined {
  const text = line
    .trim()
    .replace(/^(?:[-*+>]|\d{1,4}[.)])\s/, "")
    .trim();
  const fact = parseFact(text);
  if (fact) return { source, text, ...fact, isNegated: false };
  const { rest, isNegated } = parsePolarity(normalise(text));
  if (rest === "") return undefined;
  const [use, purpose] = splitAt(rest, " for ");
  if (use.startsWith("use ") && purpose !== "")
    return { source, text, subject: purpose, value: use.slice(4), isNegated };
  return { source, text, subject: rest, value: "", isNegated };
}

/** `subject: value`, `subject = value`, `subject is value`. */
function parseFact(text: string): Pick<Claim, "subject" | "value"> | undefined {
  for (const separator of [": ", " = ", " is "]) {
    const [left, right] = splitAt(text, separator);
    const subject = normalise(left);
    const value = normalise(right);
    if (LABELS.has(subject)) return undefined;
    if (subject !== "" && value !== "" && subject.split(" ").length <= SUBJECT_WORDS) return { subject, value };
  }
  return undefined;
}

function parsePolarity(text: string): { readonly rest: string; readonly isNegated: boolean } {
  const negation = NEGATIONS.find((words) => text.startsWith(`${words} `));
  if (negation !== undefined) return { rest: text.slice(negation.length + 1), isNegated: true };
  const affirmation = AFFIRMATIONS.find((word) => text.startsWith(`${word} `));
  return { rest: affirmation === undefined ? text : text.slice(affirmation.length + 1), isNegated: false };
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

function normalise(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[’]/g, "'")
    .split(/[\s`"*_]+/)
    .filter((word) => word !== "" && !ARTICLES.has(word));
  return words
    .join(" ")
    .replace(/[.,;!]{1,9}$/, "")
    .trim();
}
