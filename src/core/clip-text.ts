/** At most `max` characters, with an ellipsis if cut; never splits a surrogate pair. */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 1) return "";
  return `${sliceWhole(text, max - 1)}…`;
}

export function clipLine(text: string, max: number): string {
  return clipText(toOneLine(text), max);
}

export function toOneLine(text: string): string {
  // Single spaces are left alone: replacing each with itself takes several times as long.
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}

/** Never splits a surrogate pair. */
export function sliceWhole(text: string, characters: number): string {
  const cut = text.slice(0, Math.max(0, characters));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Marks a cut, so that no reader takes a part for the whole. */
export const TRUNCATED = "[truncated]";

/**
 * Cuts a text to fit and marks the cut. Cuts at a line end if that costs less than half of the text. Empty if even the mark does not fit:
 * the caller then has to say that something is missing.
 */
export function cutText(text: string, roomCharacters: number): string {
  if (text.length <= roomCharacters) return text;
  if (roomCharacters < TRUNCATED.length) return "";
  const kept = text.slice(0, Math.max(0, roomCharacters - TRUNCATED.length - 1));
  const atLine = kept.lastIndexOf("\n");
  const whole = atLine > kept.length / 2 ? kept.slice(0, atLine) : kept;
  return `${whole.replace(/[\uD800-\uDBFF]$/, "")}\n${TRUNCATED}`.trimStart();
}

/** Shares the room: small texts whole, large ones cut to the same length. Filling from the front would drop what comes last. */
export function shareLengths(lengths: readonly number[], room: number): readonly number[] {
  let left = Math.max(0, room);
  let waiting = lengths.length;
  for (const length of [...lengths].sort((one, other) => one - other)) {
    const share = Math.floor(left / waiting);
    if (length > share) return lengths.map((wanted) => Math.min(wanted, share));
    left -= length;
    waiting -= 1;
  }
  return lengths;
}

/** The lines that fit, in order. A long one is skipped, so that it does not push out all those after it. */
export function takeFitting(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  return lines.filter((line) => {
    const fits = line.length < left;
    if (fits) left -= line.length + 1;
    return fits;
  });
}
