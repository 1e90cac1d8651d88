/** A text on one line, cut with a visible mark. */
export function quote(text: string, maxCharacters: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxCharacters ? line : `${sliceWhole(line, maxCharacters - 1)}…`;
}

/** The beginning of a text, never half a character pair. */
export function sliceWhole(text: string, characters: number): string {
  const cut = text.slice(0, Math.max(0, characters));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
