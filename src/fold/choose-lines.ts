/** The lines of a text that are looked at, and which ones they are. */
export interface ChosenLines {
  readonly lines: readonly string[];
  /** Counted from 1, as in the text; `undefined` where all were chosen. */
  readonly places: readonly number[] | undefined;
}

/** A preview shows a hundredth of a text this long; looking at all of a longer one would only take time. */
const MAX_LOOKED = 36_000;
const FROM_START = 24_000;
const FROM_END = 8_000;
const MAX_TROUBLES = 40;
/** Case by case, since ignoring case costs three times as much. */
const TROUBLE = /[Ee]rror|ERROR|FAIL|[Ff]ailed|[Ff]ailure|[Pp]anic|xception|[Ww]arning|WARN|not ok|✗|✕|❌/g;

/** All lines; of a very long text its beginning, its end, and between them the lines that speak of trouble. */
export function chooseLines(text: string): ChosenLines {
  if (text.length <= MAX_LOOKED) return { lines: text.split("\n"), places: undefined };
  const start = text.indexOf("\n", FROM_START);
  const end = text.lastIndexOf("\n", text.length - FROM_END);
  // A few enormous lines: each is cut short anyway.
  if (start < 0 || end <= start) return { lines: text.split("\n"), places: undefined };
  const first = text.slice(0, start).split("\n");
  const lines = [...first];
  const places = first.map((_, index) => index + 1);
  let place = first.length + 1;
  let from = start + 1;
  for (const at of findTroubles(text, from, end)) {
    if (at < from) continue;
    const begin = text.lastIndexOf("\n", at) + 1;
    place += countFeeds(text, from, begin);
    const feed = text.indexOf("\n", at);
    lines.push(text.slice(begin, feed));
    places.push(place);
    place++;
    from = feed + 1;
  }
  place += countFeeds(text, from, end + 1);
  for (const line of text.slice(end + 1).split("\n")) {
    lines.push(line);
    places.push(place++);
  }
  return { lines, places };
}

function findTroubles(text: string, from: number, to: number): readonly number[] {
  const middle = text.slice(from, to);
  const found: number[] = [];
  for (const match of middle.matchAll(TROUBLE)) {
    found.push(from + match.index);
    if (found.length >= MAX_TROUBLES) break;
  }
  return found;
}

function countFeeds(text: string, from: number, to: number): number {
  let feeds = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) feeds++;
  return feeds;
}
