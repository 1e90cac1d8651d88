import { clipEnds } from "../../core/clip-ends.ts";
import { clipText } from "../../core/clip-text.ts";

/**
 * How the ledger is worded. Every line is both written and parsed here, so that a word is changed in one place. A line that another version
 * worded differently is kept as it is (`other`): parsed and rendered again, any text is unchanged.
 */
export type LedgerEntry =
  /** Begins a segment. The handle fetches the originals of its numbered lines. */
  | { readonly kind: "heading"; readonly exchanges: number; readonly handle: string | undefined }
  /** Words: complete if there is no number, otherwise an excerpt. */
  | { readonly kind: "said"; readonly by: Speaker; readonly text: string; readonly number: number | undefined }
  /** A call with its result, as `renderCall` puts them. */
  | { readonly kind: "call"; readonly text: string; readonly number: number }
  /** Lines that are not shown, ascending: their numbers, and a label if it says more than the number. */
  | { readonly kind: "leftOut"; readonly lines: readonly LeftOutLine[] }
  | { readonly kind: "other"; readonly text: string };

export interface LeftOutLine {
  readonly first: number;
  readonly last: number;
  /** Empty for passing remarks. */
  readonly label: string;
}

/** A subagent's report keeps its findings as its segment grows old. */
export type Speaker = "person" | "note" | "assistant" | "report";
const SPEAKERS: readonly Speaker[] = ["person", "note", "assistant", "report"];

export const LEDGER_OPENING = "[LEDGER: ";
const ARROW = " → ";
/** An outcome that later work builds on: a commit, a report, the person's choice. It stays as the segment grows old. */
const LASTING = " => ";
const REPORTED = `${LASTING}report: `;
const FAILED = "failed: ";
const LEAST_CALL_SHARE = 0.4;
/** For a report, the call's name and task are enough. */
const MAX_ORDER_CHARACTERS = 80;
/** Further lines are indented, so that none is ever taken for a line of the ledger. */
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
      return `(${entry.lines.map(renderLeftOut).join("; ")})`;
    case "other":
      return entry.text;
  }
}

const HEADING =
  /^\[LEDGER: (\d{1,9}) earlier exchanges in brief(?:; recall (plimsoll:[0-9a-f]{12})#N gives line N whole)?\]$/;
const SAID = /^(?:(\d{1,9}) )?(person|note|assistant|report): ([\s\S]*)$/;
const NUMBERED = /^(\d{1,9}) (.*)$/;
const LEFT_OUT = /^\((#\d{1,9}[\s\S]*)\)$/;
const LEFT_OUT_LINE = /^#(\d{1,9})(?:-#(\d{1,9}))?(?: ([\s\S]+))?$/;

export function parseEntries(text: string): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const line of text.split("\n")) {
    const last = entries.at(-1);
    if (last?.kind === "said" && line.startsWith(SET_IN.slice(1)))
      entries[entries.length - 1] = { ...last, text: `${last.text}\n${line.slice(SET_IN.length - 1)}` };
    else {
      const entry = parseLine(line);
      // A line that we would render differently is not ours to parse.
      entries.push(entry !== undefined && renderEntry(entry) === line ? entry : { kind: "other", text: line });
    }
  }
  return entries;
}

function parseLine(line: string): LedgerEntry | undefined {
  const [isHeading, exchanges, handle] = HEADING.exec(line) ?? [];
  if (isHeading !== undefined) return { kind: "heading", exchanges: Number(exchanges), handle };
  const [, place, speaker, words = ""] = SAID.exec(line) ?? [];
  const by = SPEAKERS.find((known) => known === speaker);
  if (by !== undefined)
    return { kind: "said", by, text: words, number: place === undefined ? undefined : Number(place) };
  const [, number, text = ""] = NUMBERED.exec(line) ?? [];
  if (number !== undefined) return { kind: "call", text, number: Number(number) };
  const lines = LEFT_OUT.exec(line)?.[1]?.split("; ").map(parseLeftOut) ?? [];
  const known = lines.filter((each) => each !== undefined);
  return known.length === 0 || known.length < lines.length ? undefined : { kind: "leftOut", lines: known };
}

export function renderHeading(exchanges: number, handle?: string): string {
  const wayBack = handle === undefined ? "" : `; recall ${handle}#N gives line N whole`;
  return `${LEDGER_OPENING}${exchanges} earlier exchanges in brief${wayBack}]`;
}

/** The text after a line's number. Complete words keep their line breaks. */
export function renderSaid(by: Speaker, text: string): string {
  return `${by}: ${text.replaceAll("\n", SET_IN)}`;
}

export function renderShortened(shown: string, characters: number): string {
  return `${shown} (${characters} chars)`;
}

export type CallOutcome =
  | {
      readonly failed: boolean;
      readonly text: string;
      readonly isLasting?: boolean | undefined;
      readonly isReport?: boolean | undefined;
    }
  | "none";

/** A call and its outcome; an empty part is left out. */
export function renderCall(call: string | undefined, outcome: CallOutcome): string {
  const shown = outcome === "none" ? "no result" : `${outcome.failed ? FAILED : ""}${outcome.text}`;
  // The call's text must not be parsed as an outcome.
  const what = (call ?? "a result whose call is missing").replaceAll(ARROW, " -> ").replaceAll(LASTING, " =>");
  const isReport = outcome !== "none" && outcome.isReport === true;
  const arrow = isReport ? REPORTED : outcome !== "none" && outcome.isLasting === true ? LASTING : ARROW;
  return shown === "" ? what : `${what}${arrow}${shown}`;
}

/** A failure that the segment already shows is referred to by its line number. */
export function renderSameFailure(call: string, failure: string, number: number): string {
  return call.replace(`${ARROW}${FAILED}${failure}`, () => `${ARROW}${FAILED}as #${number}`);
}

export function splitCall(text: string): string {
  const at = text.indexOf(ARROW);
  return at < 0 ? text : text.slice(0, at);
}

/** Of a long line the beginning of the call, and more of the outcome. */
export function clipCall(text: string, most: number, clip: typeof clipText = clipText): string {
  if (text.length <= most) return text;
  const outcome = text.slice(findOutcome(text));
  const call = clipText(
    text.slice(0, text.length - outcome.length),
    Math.max(Math.floor(most * LEAST_CALL_SHARE), most - outcome.length),
  );
  return call + clip(outcome, most - call.length);
}

/** Both ends of a text that is one line. */
export function clipLineEnds(line: string, most: number): string {
  return line.length <= most ? line : clipEnds(line, most).replaceAll("\n", " ");
}

function findOutcome(text: string): number {
  const [at = text.length] = [text.indexOf(ARROW), text.indexOf(LASTING)]
    .filter((found) => found >= 0)
    .sort((one, other) => one - other);
  return at;
}

/** What came of a call, without the sign before it. */
export function outcomeOf(call: string): string {
  return call.slice(findOutcome(call)).replace(/^ (?:→|=>) /, "");
}

export function isReport(call: string): boolean {
  return call.startsWith(REPORTED, findOutcome(call));
}

/** Shortens a report and keeps the name of the call that asked for it. */
export function clipReport(text: string, most: number): string {
  const at = findOutcome(text);
  return clipText(text.slice(0, at), MAX_ORDER_CHARACTERS) + clipLineEnds(text.slice(at), REPORTED.length + most);
}

/** A complete result in one line; several lines are quoted with their line feeds. */
export function renderWhole(text: string): string {
  if (text === "") return "nothing";
  // Text that only begins like a failure is quoted: the result's own flag decides whether a call failed.
  return text.includes("\n") || text.startsWith(FAILED) ? JSON.stringify(text) : text;
}

export function renderLineCount(lines: number): string {
  return `(${lines} lines)`;
}

/** A result that another layer has shortened: its handle, and its most informative lines. */
export function renderShortenedBefore(handle: string, shown = ""): string {
  return shown === "" ? `shortened before, ${handle}` : `${shown} (shortened before, ${handle})`;
}

/** For an old segment: keeps only the handle. */
export function dropPreview(call: string): string {
  const [, handle] = / \(shortened before, (plimsoll:[0-9a-f]{12})\)$/.exec(call) ?? [];
  return handle === undefined ? call : call.slice(0, findOutcome(call)) + ARROW + renderShortenedBefore(handle);
}

/** A lookup that found nothing is not a failure of the work. */
const LOOKED =
  /^(?:Read|Grep|Glob|LS|Bash (?:cd \S+ && )?(?:ls|find|grep|rg|cat|which|head|tail|test|stat|file|sleep)\b)|Sibling tool call errored/;

export function hasLasting(call: string): boolean {
  return call.includes(LASTING);
}

/** Whether the line has an outcome that is neither a failure of the work nor lasting. */
export function hasPlainOutcome(call: string): boolean {
  if (!call.includes(ARROW) || hasLasting(call)) return false;
  return !call.includes(ARROW + FAILED) || LOOKED.test(call);
}

/** The ledger segments at the end of a text. */
export function splitSegments(text: string): readonly string[] {
  const from = text.indexOf(`\n${LEDGER_OPENING}`);
  if (from < 0) return [];
  const [first = "", ...others] = text.slice(from + 1).split(`\n${LEDGER_OPENING}`);
  return [first, ...others.map((segment) => LEDGER_OPENING + segment)];
}

/** Indents lines that would be taken for the beginning of a segment. */
export function setInHeadings(text: string): string {
  return `\n${text}`.replaceAll(`\n${LEDGER_OPENING}`, `\n ${LEDGER_OPENING}`).slice(1);
}

function renderNumber(number: number | undefined): string {
  return number === undefined ? "" : `${number} `;
}

/** `#3-#9 Read a.ts, b.ts`: the numbers fetch each of the lines. */
function renderLeftOut({ first, last, label }: LeftOutLine): string {
  return `#${first}${first === last ? "" : `-#${last}`}${label === "" ? "" : ` ${label}`}`;
}

function parseLeftOut(text: string): LeftOutLine | undefined {
  const [isOne, first, last = first, label = ""] = LEFT_OUT_LINE.exec(text) ?? [];
  return isOne === undefined ? undefined : { first: Number(first), last: Number(last), label };
}

/** Removes the separators of a list of labels, and numbers that would look like a handle. */
export function cleanLabel(text: string): string {
  return text
    .replace(/[;#()]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
