/** At most `max` characters, an ellipsis where something was cut, never half of a surrogate pair. */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 1) return "";
  return `${sliceWhole(text, max - 1)}…`;
}

/** The same on one line. */
export function clipLine(text: string, max: number): string {
  return clipText(toOneLine(text), max);
}

export function toOneLine(text: string): string {
  // A space that stands alone stays as it is: putting each in its own place takes several times as long.
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}

/** The beginning of a text, never half of a surrogate pair. */
export function sliceWhole(text: string, characters: number): string {
  const cut = text.slice(0, Math.max(0, characters));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Stands where something was cut, so that no reader takes a part for the whole. */
export const TRUNCATED = "[truncated]";

/**
 * A text within its room, cut at the end of a line where that costs less than half of it, and marked where it is cut. Where
 * there is no room for the mark itself it is empty: the caller has to say elsewhere that something is missing.
 */
export function cutText(text: string, roomCharacters: number): string {
  if (text.length <= roomCharacters) return text;
  if (roomCharacters < TRUNCATED.length) return "";
  const kept = text.slice(0, Math.max(0, roomCharacters - TRUNCATED.length - 1));
  const atLine = kept.lastIndexOf("\n");
  const whole = atLine > kept.length / 2 ? kept.slice(0, atLine) : kept;
  return `${whole.replace(/[\uD800-\uDBFF]$/, "")}\n${TRUNCATED}`.trimStart();
}
