/** About 30,000 tokens: what fits into a window that was just emptied, and can be told from the next part. */
const PART_CHARACTERS = 100_000;

/** Cut at line ends where there are any, never within a character. Joined they are the text again. */
export function cutParts(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > PART_CHARACTERS) {
    const lineEnd = text.lastIndexOf("\n", from + PART_CHARACTERS - 1) + 1;
    let to = lineEnd > from ? lineEnd : from + PART_CHARACTERS;
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to--;
    parts.push(text.slice(from, to));
    from = to;
  }
  return [...parts, text.slice(from)];
}
