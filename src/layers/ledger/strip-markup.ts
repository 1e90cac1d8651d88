/** Rules, the lines under a table's heading, and signs of approval. */
const ORNAMENT =
  /^[ \t]*(?:[-*_=]{3,}|\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t:-]*)[ \t]*$|(?:[\u2705\u274C\u{1F300}-\u{1FAFF}]\uFE0F?)/gmu;

/** Prose as one would say it: without what only makes it look better on a page. Names, numbers, code and the order of things stay. */
export function stripMarkup(text: string): string {
  return text
    .replace(ORNAMENT, "")
    .replace(/^[ \t]*#{1,6} +/gm, "")
    .replace(/\*\*(?=\S)([^*\n]{1,400})\*\*/g, "$1");
}
