/** The lines of a text that are looked at, and which ones they are. */
export interface ChosenLines {
  readonly lines: readonly string[];
  /** Counted from 1, as in the text; `undefined` where all were chosen. */
  readonly places: readonly number[] | undefined;
  /** How many lines the text has, chosen or not: what `split` would give. */
  readonly total: number;
}

/** A preview shows a hundredth of a text this long; looking at all of a longer one would only take time. */
const MAX_LOOKED = 36_000;
const LONG = { fromStart: 24_000, fromEnd: 8_000 };
/** Hashing and the search for trouble take longer the longer a text is, so that of the longest less is looked at closely. */
const MAX_LONG = 72_000;
const LONGEST = { fromStart: 16_000, fromEnd: 6_000 };
const MAX_TROUBLES = 40;
/** Case by case, since ignoring case costs three times as much. */
const TROUBLE = /[Ee]rror|ERROR|FAIL|[Ff]ailed|[Ff]ailure|[Pp]anic|xception|[Ww]arning|WARN|not ok|✗|✕|❌/g;

/** All lines; of a very long text its beginning, its end, and between them the lines that speak of trouble. */
export function chooseLines(text: string): ChosenLines {
  if (text.length <= MAX_LOOKED) return takeAll(text);
  const { fromStart, fromEnd } = text.length <= MAX_LONG ? LONG : LONGEST;
  const start = text.indexOf("\n", fromStart);
  const end = text.lastIndexOf("\n", text.length - fromEnd);
  // A few enormous lines: each is cut short anyway.
  if (start < 0 || end <= start) return takeAll(text);
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
  return { lines, places, total: place - 1 };
}

function takeAll(text: string): ChosenLines {
  const lines = text.split("\n");
  return { lines, places: undefined, total: lines.length };
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
