/**
 * How the ledger is worded. Every line of it is written here and read here, so that a word is changed in one place. A line that
 * another version worded otherwise is kept as it is (`other`): `renderEntries(parseEntries(text))` is any text itself.
 */
export type LedgerEntry =
  /** Begins a stretch. The handle fetches what its numbered lines stand for. */
  | { readonly kind: "heading"; readonly exchanges: number; readonly handle: string | undefined }
  /** Words: whole where there is no number, otherwise what is shown of them. */
  | { readonly kind: "said"; readonly by: Speaker; readonly text: string; readonly number: number | undefined }
  /** A call with its result, as `renderCall` puts them. */
  | { readonly kind: "call"; readonly text: string; readonly number: number }
  /** The numbers of lines that are no longer shown, ascending. */
  | { readonly kind: "leftOut"; readonly numbers: readonly number[] }
  | { readonly kind: "other"; readonly text: string };

export type Speaker = "person" | "note" | "assistant";

export const LEDGER_OPENING = "[LEDGER: ";
const ARROW = " → ";
const FAILED = "failed: ";
/** Further lines of what was said are set in, so that none of them is ever taken for a line of the ledger. */
const SET_IN = "\n  ";

export function renderEntry(entry: LedgerEntry): string {
  switch (entry.kind) {
    case "heading":
      return renderHeading(entry.exchanges, entry.handle);
    case "said":
      return renderNumber(entry.number) + renderSaid(entry.by, entry.text);
    case "call":
      return renderNumber(entry.number) + entry.text;
    case "leftOut":
      return `(left out, still there: ${renderRanges(entry.numbers)})`;
    case "other":
      return entry.text;
  }
}

const HEADING =
  /^\[LEDGER: (\d{1,9}) earlier exchanges in brief(?:; recall (plimsoll:[0-9a-f]{12})#N gives line N whole)?\]$/;
const SAID = /^(?:(\d{1,9}) )?(person|note|assistant): ([\s\S]*)$/;
const NUMBERED = /^(\d{1,9}) (.*)$/;
const LEFT_OUT = /^\(left out, still there: ([#\d, -]+)\)$/;

export function renderEntries(entries: readonly LedgerEntry[]): string {
  return entries.map(renderEntry).join("\n");
}

export function parseEntries(text: string): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const line of text.split("\n")) {
    const last = entries.at(-1);
    if (last?.kind === "said" && last.number === undefined && line.startsWith(SET_IN.slice(1)))
      entries[entries.length - 1] = { ...last, text: `${last.text}\n${line.slice(SET_IN.length - 1)}` };
    else {
      const entry = parseLine(line);
      // What would be written otherwise than it stands here is not ours to read.
      entries.push(entry !== undefined && renderEntry(entry) === line ? entry : { kind: "other", text: line });
    }
  }
  return entries;
}

function parseLine(line: string): LedgerEntry | undefined {
  const [isHeading, exchanges, handle] = HEADING.exec(line) ?? [];
  if (isHeading !== undefined) return { kind: "heading", exchanges: Number(exchanges), handle };
  const [isSaid, place, by, words = ""] = SAID.exec(line) ?? [];
  if (isSaid !== undefined && (by === "person" || by === "note" || by === "assistant"))
    return { kind: "said", by, text: words, number: place === undefined ? undefined : Number(place) };
  const [, number, text = ""] = NUMBERED.exec(line) ?? [];
  if (number !== undefined) return { kind: "call", text, number: Number(number) };
  const ranges = LEFT_OUT.exec(line)?.[1];
  return ranges === undefined ? undefined : { kind: "leftOut", numbers: parseRanges(ranges) };
}

export function renderHeading(exchanges: number, handle?: string): string {
  const wayBack = handle === undefined ? "" : `; recall ${handle}#N gives line N whole`;
  return `${LEDGER_OPENING}${exchanges} earlier exchanges in brief${wayBack}]`;
}

/** A line as it stands behind its number. Whole words keep their lines. */
export function renderSaid(by: Speaker, text: string): string {
  return `${by}: ${text.replaceAll("\n", SET_IN)}`;
}

/** What words are shown as where there are more of them. */
export function renderShortened(shown: string, characters: number): string {
  return `${shown} (${characters} chars)`;
}

export type Outcome = { readonly failed: boolean; readonly text: string } | "none";

/** A call and what came of it; a text that says nothing is left out. */
export function renderCall(call: string | undefined, outcome: Outcome): string {
  const told = outcome === "none" ? "no result" : `${outcome.failed ? FAILED : ""}${outcome.text}`;
  const what = call ?? "a result whose call is missing";
  return told === "" ? what : `${what}${ARROW}${told}`;
}

/** A result in one line, whole: several lines are quoted with their line feeds. */
export function renderWhole(text: string): string {
  if (text === "") return "nothing";
  return text.includes("\n") ? JSON.stringify(text) : text;
}

export function renderLineCount(lines: number): string {
  return `(${lines} lines)`;
}

/** A result that another layer has shortened is fetched by the handle which that one left. */
export function renderShortenedBefore(handle: string): string {
  return `shortened before, ${handle}`;
}

/** Whether something came of a call that is told beside it, and no failure. */
export function hasPlainOutcome(call: string): boolean {
  return call.includes(ARROW) && !call.includes(ARROW + FAILED);
}

/** The stretches in a text of which they are the end. */
export function splitStretches(text: string): readonly string[] {
  const from = text.indexOf(`\n${LEDGER_OPENING}`);
  if (from < 0) return [];
  const [first = "", ...others] = text.slice(from + 1).split(`\n${LEDGER_OPENING}`);
  return [first, ...others.map((stretch) => LEDGER_OPENING + stretch)];
}

/** Any text, written so that no line of it is taken for the beginning of a stretch. */
export function setInHeadings(text: string): string {
  return `\n${text}`.replaceAll(`\n${LEDGER_OPENING}`, `\n ${LEDGER_OPENING}`).slice(1);
}

function renderNumber(number: number | undefined): string {
  return number === undefined ? "" : `${number} `;
}

/** `#3-#9, #12`: a handle to each of the lines. */
function renderRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `#${first}` : `#${first}-#${last}`)).join(", ");
}

/** No stretch has so many lines: a range without end is nothing to count through. */
const MAX_LINES = 100_000;

function parseRanges(text: string): readonly number[] {
  const numbers: number[] = [];
  for (const [, first = "0", last = first] of text.matchAll(/#(\d{1,9})(?:-#(\d{1,9}))?/g))
    for (let number = Number(first); number <= Number(last) && numbers.length < MAX_LINES; number++)
      numbers.push(number);
  return numbers;
}
