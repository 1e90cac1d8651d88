/** A text as one line, cut with a visible mark where it is longer than `maxLength`. No half of a character is left behind. */
export function toOneLine(text: string, maxLength: number = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxLength) return line;
  return `${line.slice(0, Math.max(0, maxLength - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}
