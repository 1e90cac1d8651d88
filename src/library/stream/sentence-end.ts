/** Signs that end a sentence, with what may close after them: quotes, brackets, emphasis. */
const END = /[.!?;:。！？；：]["'”’»)\]}*_~」』）】]*$/;
const OPENERS = /^["'“‘«([{*_~]+/;
const CLOSERS = /["'”’»)\]}*_~]+$/;

/** Only those that hardly ever end a sentence: a boundary that is missed costs a moment, "The answer is no." would cost a sentence. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  "e.g. i.e. eg. ie. etc. vs. cf. approx. ca. resp. incl. excl. esp. fig. figs. eq. pp. dr. mr. mrs. ms. prof. z.b. d.h. bzw.".split(
    " ",
  ),
);

/** `J.`, `U.S.`, `a.m.`: letters with a full stop after each. */
const INITIALS = /^(?:\p{L}\.)+$/u;
/** `1.`, `a.`, `## 2.`, `> 3:` as all that a line has so far: what follows is the item. */
const LIST_MARKER = /^[\s>#*_+-]*(?:\d{1,3}|[A-Za-z])[.:]$/;

/** Whether a word ends its sentence, judged by its last characters and by its line so far (this word included). */
export function isSentenceEnd(word: string, line: string): boolean {
  if (!END.test(word)) return false;
  const bare = word.replace(OPENERS, "").replace(CLOSERS, "");
  if (ABBREVIATIONS.has(bare.toLowerCase()) || INITIALS.test(bare)) return false;
  return !LIST_MARKER.test(line);
}
