import type { Scan } from "./shell-words.ts";

/** The body of a here-document whose operator was just taken: it begins behind the line, or behind the one before it. */
export function takeHereDocument(
  scan: Scan,
  delimiter: string,
  { isIndented }: { readonly isIndented: boolean },
): string {
  const { text } = scan;
  if (scan.hereFrom < scan.at) {
    scan.hereFrom = findLineEnd(text, scan.at);
    scan.hereTo = Math.min(scan.hereFrom + 1, text.length);
  }
  const from = scan.hereTo;
  for (let at = from; at < text.length; ) {
    const end = findLineEnd(text, at);
    const line = text.slice(at, text[end - 1] === "\r" ? end - 1 : end);
    const next = Math.min(end + 1, text.length);
    if ((isIndented ? line.replace(/^\t+/, "") : line) === delimiter) {
      scan.hereTo = next;
      return text.slice(from, at);
    }
    at = next;
  }
  scan.hereTo = text.length;
  return text.slice(from);
}

function findLineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
