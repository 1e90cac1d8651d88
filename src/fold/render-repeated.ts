/** So that the count behind a line is not what is cut off. */
const MAX_BEFORE_COUNT = 130;

/** A line and how many there are like it: true whether or not others of them are shown too. */
export function renderRepeated(text: string, count: number, isPartial: boolean): string {
  if (count < 2) return text;
  return `${text.trimEnd().slice(0, MAX_BEFORE_COUNT)} (${isPartial ? "at least " : ""}${count} lines like this)`;
}
