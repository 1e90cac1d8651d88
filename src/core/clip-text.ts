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
  return text.replace(/\s+/g, " ").trim();
}

/** The beginning of a text, never half of a surrogate pair. */
export function sliceWhole(text: string, characters: number): string {
  const cut = text.slice(0, Math.max(0, characters));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
