import { isAnnouncement } from "../../core/announcement.ts";

/** Words that only say what is done next: the call that follows tells it, and what came of it. */
const ANNOUNCES =
  /(?:^|[,;:.—–-] ?)(?:(?:ok(?:ay)?|good|great|now|next|then|so|and|also|first|finally|actually|but)\b,? ){0,4}(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|now i|i(?: also| still| now)? (?:need|have|want) to|i should)\b/i;
const SETS_ABOUT =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|alright|right|sure|yes|done|nice|now|next|then|so|and|also|first|finally|lastly|time to|need to|going to|we need to)\b[\s,.!:—–-]*){0,4}(?:updat|add|fix|check|run|read|look|creat|writ|verif|commit|pass|start|try|proceed|mark|test|build|replac|renam|remov|wir|edit|install|launch|dispatch|explor|search|continu|mov|set|stor|get|kill|restart|reload|wait|retry|clean|apply|mak|find|view|open|push|put|implement|rewrit|modif|dismiss|us|see|confirm|clos|simplif|refactor|delet|wrap|convert)(?:e|es|ing|ting|ning|ying|y|t)?\b/i;
/** The next of several steps, which its call tells. */
const NEXT_STEP = /^(?:now|also|next|then|lastly|finally)\b/i;
/** A reason makes it more than that; a finding does where the sentence only sets about something. */
const REASONS = /\b(?:because|since|so that|instead of|rather than|root cause|turns out|decided)\b/i;
const TELLS =
  /\b(?:instead|the (?:issue|problem|bug|cause|fix|reason|error) (?:is|was)|found|means|must|never|not|no|only|but|however|fails?|failed|failing|error|\d+)\b/i;
const INTERJECTION =
  /^(?:ok(?:ay)?|good(?: point)?|great|perfect|excellent|alright|right|sure|yes|done|nice|now|you're right|got it|absolutely|of course|interesting|found (?:it|them)|i see(?: the (?:issues?|problems?))?)[\s,.!:—–-]*$/i;
/** Longer sentences say more than what comes next. */
const MAX_PASSING_CHARACTERS = 200;
const MAX_LEAD_CHARACTERS = 24;

/**
 * A text without its sentences in passing, from which a later reader learns nothing that the work does not tell; empty where it has no others. What it
 * announces as the next step stays, unless another announcement has replaced it.
 */
export function dropNarration(text: string, { isReplaced = false }: { readonly isReplaced?: boolean } = {}): string {
  const sentences = splitWords(text);
  const telling = sentences.filter((sentence) =>
    isAnnouncement(sentence.trim()) ? !isReplaced || !isPassing(sentence) : !isPassing(sentence),
  );
  return telling.length === sentences.length ? text : telling.join(" ");
}

function isPassing(sentence: string): boolean {
  const words = sentence.trim();
  if (words === "" || INTERJECTION.test(words)) return true;
  if (words.length > MAX_PASSING_CHARACTERS || REASONS.test(words)) return false;
  const at = words.search(ANNOUNCES);
  // What stands before the announcement may be a finding.
  return (
    (at >= 0 && at <= MAX_LEAD_CHARACTERS) || (SETS_ABOUT.test(words) && (NEXT_STEP.test(words) || !TELLS.test(words)))
  );
}

/** Sentences and lines; a list or a block of code is parted at its line feeds. */
function splitWords(text: string): readonly string[] {
  return text.split(/(?<=[.!?])(?<!(?:^|\n|[.:!?]\s)\s{0,4}\d{1,3}\.)\s+(?=[A-Z"'`*(\d])|\n+/);
}
