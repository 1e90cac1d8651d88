import { findWords, flatten } from "./find-words.ts";

/** What a section of a summary says about the status of its work. */
export type WorkMark = "open" | "done" | "unsaid";

export interface Segment {
  readonly text: string;
  readonly words: number;
  readonly mark: WorkMark;
}

/** How much of a sentence has to be found again. Chosen by the bench, on sessions other than the one that is judged. */
export interface Strictness {
  /** This share of a sentence's words, close together, counts as a paraphrase. */
  readonly minCoverage: number;
  /** A passage with more words than this counts less. */
  readonly passageWords: number;
}

export const STRICTNESS: Strictness = { minCoverage: 0.38, passageWords: 20 };

/** So many words in a row are a quotation. */
const QUOTED_WORDS = 8;

/** A text prepared once, so that looking a fact up takes time proportional to the fact's own words. */
export interface TextIndex {
  readonly text: string;
  /** The words alone, for comparing word for word. */
  readonly flat: string;
  /** Every `QUOTED_WORDS` words in a row. */
  readonly runs: ReadonlySet<string>;
  readonly segments: readonly Segment[];
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly strictness: Strictness;
}

const END_OF_SENTENCE = /(?<=[.!?:;]["'”’)`*]*)\s+(?=["'“‘(`*[\p{Lu}])/u;
const HEADING = /^\s*(?:#{1,6}\s|\d{1,2}\.\s+\S.{0,60}:?\s*$|\*\*[^*]{1,80}\*\*:?\s*$|[\p{Lu}][^.]{0,60}:\s*$)/u;
const OPEN_HEADING =
  /\b(?:pending|remaining|to ?do|next steps?|optional next|open (?:tasks|work|items)|outstanding|not (?:yet )?(?:done|started)|in progress|current(?:ly)? work)\b/i;
const DONE_HEADING = /\b(?:completed?|done|finished|already|accomplished|resolved)\b/i;
const OPEN_MARK =
  /☐|⏳|🔄|\[ \]|\b(?:pending|in[ _-]progress|not yet|to ?do\b|remaining|still (?:needs?|to|has|have)|needs? to be|next step|unfinished|not (?:started|done|finished|complete[d]?|implemented)|outstanding|blocked)\b/i;
const DONE_MARK =
  /✅|✓|✔|☑|\[x\]|\b(?:completed?|done|finished|implemented|fixed|resolved|committed|merged|pushed|passing|shipped)\b/i;

export function indexText(text: string, strictness: Strictness = STRICTNESS): TextIndex {
  const segments: Segment[] = [];
  const places = new Map<string, number[]>();
  let section: WorkMark = "unsaid";
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    if (HEADING.test(line)) section = markHeading(line, section);
    for (const sentence of line.split(END_OF_SENTENCE)) {
      const at = segments.length;
      const words = findWords(sentence);
      if (words.length === 0) continue;
      segments.push({ text: sentence, words: words.length, mark: markSentence(sentence, section) });
      for (const word of words) {
        const known = places.get(word);
        if (known) known.push(at);
        else places.set(word, [at]);
      }
    }
  }
  const flat = flatten(text);
  return { text, flat, runs: new Set(listRuns(flat)), segments, places, strictness };
}

export function listRuns(flat: string): readonly string[] {
  const words = flat.trim().split(" ");
  return words.slice(QUOTED_WORDS - 1).map((_, at) => words.slice(at, at + QUOTED_WORDS).join(" "));
}

/** A subheading without a status keeps the section's status; a numbered heading resets it. */
function markHeading(line: string, section: WorkMark): WorkMark {
  if (OPEN_HEADING.test(line)) return "open";
  if (DONE_HEADING.test(line)) return "done";
  return /^\s*(?:#{1,3}\s|\d{1,2}\.\s)/.test(line) ? "unsaid" : section;
}

/** The sentence's own status wins over that of its section. */
export function markSentence(sentence: string, section: WorkMark): WorkMark {
  if (OPEN_MARK.test(sentence)) return "open";
  return DONE_MARK.test(sentence) ? "done" : section;
}
