import { clipLine } from "../../core/clip-text.ts";
import type { ReplaceSpan } from "../../core/edit.ts";
import { hashText } from "../../core/hash.ts";
import type { Block, Message } from "../../core/message.ts";
import { replaceSpan } from "../../core/propose-edit.ts";
import { splitExchanges } from "../history/exchanges.ts";
import { type Hash, type NamedOriginal, nameWhole, renderThoughts } from "../history/originals.ts";
import { plainVocabulary } from "../history/vocabulary.ts";
import type { LedgerStyle } from "./describe-call.ts";
import {
  cleanLabel,
  hasLasting,
  type LeftOutLine,
  outcomeOf,
  renderEntry,
  renderHeading,
  renderSaid,
  renderSameFailure,
  splitCall,
  splitSegments,
} from "./ledger-text.ts";
import type { Line, Piece } from "./piece.ts";
import { REMARKS, renderExchange } from "./render-exchange.ts";
import { renderSections } from "./sections.ts";

const LEDGER_PREFIX = "ledger:";

/** Whether a message is a ledger segment, which is not rendered again. */
export function isLedger({ id }: Message): boolean {
  return id.startsWith(LEDGER_PREFIX);
}

export const STANDING_PREFIX: string = `${LEDGER_PREFIX}standing:`;

/** Whether a message is the text that an entry point adds next to the ledger. */
export function isStanding({ id }: Message): boolean {
  return id.startsWith(STANDING_PREFIX);
}

/** Renders old exchanges as a ledger segment. Words stay; each call with its result becomes one line. */
export function renderChunk(
  span: readonly Message[],
  pieces: readonly Piece[],
  { exchanges, by, hash }: { readonly exchanges: number; readonly by: string; readonly hash: Hash | undefined },
): ReplaceSpan | undefined {
  const [first, last] = [span[0], span.at(-1)];
  if (!first || !last) return undefined;
  const text = renderSectionsOf(span, pieces);
  const original = text === undefined ? undefined : nameWhole(text, hash);
  const handles = original === undefined ? [] : [original.handle];
  const heading = renderHeading(exchanges, original?.handle);
  const messages = composeMessages(heading, pieces, hashText(`${first.id} ${last.id}`));
  const reason = `${exchanges} exchanges of ${span.length} messages collapsed into the ledger`;
  const edit = replaceSpan(span, { messages, by, reason, handles }, hash);
  if (original) untaken.set(handles, original);
  return edit;
}

/** Avoids rendering and hashing most of a conversation twice. Keyed by the list of handles, which a shortened edit keeps. */
const untaken = new WeakMap<ReplaceSpan["handles"], NamedOriginal>();

/** The original of a segment whose edit was just made. Given out once, so that a ledger does not keep stored text in memory. */
export function takeOriginal({ handles }: ReplaceSpan): NamedOriginal | undefined {
  const original = untaken.get(handles);
  untaken.delete(handles);
  return original;
}

/** Everything behind the lines that replace a span, as one text that does not depend on their wording. */
export function renderChunkOriginal(span: readonly Message[]): string | undefined {
  const pieces = splitExchanges(span).flatMap(({ first, last }) => renderExchange(span.slice(first, last + 1), PLAIN));
  return renderSectionsOf(span, pieces);
}

const PLAIN: LedgerStyle = {
  vocabulary: plainVocabulary,
  wordsCharacters: 0,
  oldWordsCharacters: 0,
  answerCharacters: 0,
  briefCharacters: 0,
  planCharacters: 0,
};

/** The original words and thinking behind shortened lines, under one handle. */
function renderSectionsOf(span: readonly Message[], pieces: readonly Piece[]): string | undefined {
  const sections: [string, string][] = [];
  for (const [index, piece] of listLines(pieces).entries())
    for (const { part, text } of piece.sections) sections.push([`${index + 1}${part}`, text]);
  const thoughts = renderThoughts(span);
  if (thoughts !== "") sections.push(["thoughts", thoughts]);
  return sections.length === 0 ? undefined : renderSections(sections);
}

/** Lines that stand for more than they show, in order of their numbers: passing remarks come last, so that one range names them all. */
function listLines(pieces: readonly Piece[]): readonly Line[] {
  const lines = pieces.filter((piece) => piece.kind === "line").filter(({ sections }) => sections.length > 0);
  return [...lines.filter(({ isPassing }) => !isPassing), ...lines.filter(({ isPassing }) => isPassing)];
}

/** Pieces as messages: one text for everything between images and system messages. */
function composeMessages(heading: string, pieces: readonly Piece[], name: string): readonly Message[] {
  const messages: Message[] = [];
  const renderLine = createLineRenderer(pieces);
  let blocks: Block[] = [];
  let lines: string[] = [heading];
  let unreported: LedgerCall[] = [];
  const id = (): string => `${LEDGER_PREFIX}${name}:${messages.length}`;
  const closeBlock = (): void => {
    if (unreported.length > 0) lines.push(renderEntry({ kind: "leftOut", lines: labelLeftOut(unreported) }));
    unreported = [];
    if (lines.length === 0) return;
    blocks.push({ kind: "text", id: `${id()}:${blocks.length}`, text: lines.join("\n"), author: "host" });
    lines = [];
  };
  const closeMessage = (): void => {
    closeBlock();
    if (blocks.length > 0) messages.push({ id: id(), role: "user", blocks });
    blocks = [];
  };
  for (const piece of pieces) {
    if (piece.kind === "line") {
      const { text, number } = renderLine(piece);
      if (text === "") unreported.push({ number, call: piece.label ?? "" });
      else lines.push(text);
    } else if (piece.kind === "message") {
      closeMessage();
      messages.push(piece.message);
    } else if (piece.block.kind === "image") {
      closeBlock();
      blocks.push(piece.block);
    } else lines.push(renderSaid("person", piece.block.text));
  }
  closeMessage();
  return messages;
}

/** Numbers the lines of a segment and removes repetitions: a known reminder is dropped, a known failure is referred to by its number. */
function createLineRenderer(
  pieces: readonly Piece[],
): (line: Line) => { readonly text: string; readonly number: number } {
  const numbers = new Map(listLines(pieces).map((line, index) => [line, index + 1]));
  const notes = new Set<string>();
  const failures = new Map<string, number>();
  const newest = new Map(
    pieces.flatMap((piece) => (piece.kind === "line" && piece.replaced ? [[piece.replaced.name, piece]] : [])),
  );
  return (line) => {
    const { failure, replaced } = line;
    const isReplaced = replaced !== undefined && newest.get(replaced.name) !== line;
    const text = isReplaced ? replaced.text : line.text;
    const number = numbers.get(line);
    if (number === undefined) return { text, number: 0 };
    const isRepeated = text.startsWith(renderSaid("note", "")) && notes.has(text);
    notes.add(text);
    if (text === "" || isRepeated) return { text: "", number };
    // Two failures may begin alike: only the same text is the same failure.
    const whole = line.sections.find(({ part }) => part === "")?.text ?? "";
    const known = failure === undefined ? undefined : failures.get(whole);
    if (failure !== undefined && known === undefined) failures.set(whole, number);
    const shown = failure !== undefined && known !== undefined ? renderSameFailure(text, failure, known) : text;
    return { text: renderEntry({ kind: "call", number, text: shown }), number };
  };
}

/** The ledger segments of an earlier record; the record itself is written anew. */
export function toSegments(text: string): readonly Message[] {
  return splitSegments(text).map((segment, order) => {
    const id = `${LEDGER_PREFIX}record:${order}`;
    const [whole = ""] = segment.split(`\n\n${CLOSING}`, 1);
    return { id, role: "user", blocks: [{ kind: "text", id: `${id}:0`, text: whole, author: "host" }] };
  });
}

/** Separates the ledger from the latest messages. */
export const CLOSING = "What was said last follows word for word. Go on from there.";

export function renderSegments(messages: readonly Message[]): string {
  const blocks = messages.flatMap((message) => message.blocks);
  return blocks.map((block) => (block.kind === "text" ? block.text : renderSaid("person", "(a picture)"))).join("\n");
}

const MAX_SUBJECT_CHARACTERS = 40;

export interface LedgerCall {
  readonly number: number;
  readonly call: string;
}

/** An outdated to-do list, which is never asked for later. */
const LIST = /^\S+ \d+ of \d+ done;/;

export function isList(call: string): boolean {
  return LIST.test(call);
}

/** A ledger without to-do lists, where a newer one is in view. Each is fetched by its number. */
export function leaveOutLists(ledger: string): string {
  return ledger.replace(/^(\d{1,6}) (\S+ \d+ of \d+ done;.*)$/gm, (_, number: string, call: string) =>
    renderEntry({ kind: "leftOut", lines: labelLeftOut([{ number: Number(number), call }]) }),
  );
}

/** What was looked at, by number, with the tool named when it changes: `#3 Read plan.md; #4-#6 submit.py; #7 Grep prefix`. */
export function labelLeftOut(calls: readonly LedgerCall[]): readonly LeftOutLine[] {
  const lines: LeftOutLine[] = [];
  let [lastTool, lastSubject] = ["", ""];
  for (const { number, call } of [...calls].sort((one, other) => one.number - other.number)) {
    const [tool, subject] = isList(call) ? ["", ""] : nameCall(call);
    const last = lines.at(-1);
    const isNext = last !== undefined && number === last.last + 1;
    if (isNext && tool === lastTool && subject === lastSubject) lines[lines.length - 1] = { ...last, last: number };
    else {
      const isNamed = isNext && tool === lastTool && subject !== "";
      lines.push({ first: number, last: number, label: isNamed ? subject : `${tool} ${subject}`.trim() });
    }
    [lastTool, lastSubject] = [tool, subject];
  }
  return lines;
}

const MAX_SEGMENT_CHARACTERS = 160;

/** What a segment of numbers was about: commits and other lasting outcomes, then what was changed and run, then what was looked at. */
export function nameSegments(calls: readonly LedgerCall[]): readonly LeftOutLine[] {
  const segments: LedgerCall[][] = [];
  for (const call of [...calls].sort((one, other) => one.number - other.number)) {
    const last = segments.at(-1);
    if (last?.at(-1)?.number === call.number - 1) last.push(call);
    else segments.push([call]);
  }
  return segments.map((segment) => {
    const [first = 0, last = first] = [segment[0]?.number, segment.at(-1)?.number];
    return { first, last, label: nameSegment(segment.map(({ call }) => call)) };
  });
}

function nameSegment(calls: readonly string[]): string {
  const isChange = (call: string): boolean => /^(?:\w*(?:edit|write|patch)\w*)\b/i.test(call);
  const ranked = [hasLasting, isChange, (call: string) => call !== REMARKS].flatMap((is) => calls.filter(is));
  const names = new Set(ranked.map(nameWork).filter((name) => name !== ""));
  const shown: string[] = [];
  for (const name of names) if ([...shown, name].join(", ").length <= MAX_SEGMENT_CHARACTERS) shown.push(name);
  const more = names.size - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ") || REMARKS;
}

/** A commit or another lasting outcome by its own words; else what the call was about, without its tool. */
function nameWork(call: string): string {
  if (hasLasting(call)) return clipLine(cleanLabel(outcomeOf(call)), MAX_SUBJECT_CHARACTERS);
  const [tool, subject] = isList(call) ? ["", ""] : nameCall(call.replace(/^(\S+ \S+): .*/s, "$1"));
  return subject === "" ? tool : subject;
}

/** The tool, and the end of the path or the beginning of the command. */
function nameCall(call: string): readonly [tool: string, subject: string] {
  const [, tool = "", rest = ""] = /^(\S+) ?([\s\S]*)$/.exec(cleanLabel(splitCall(call))) ?? [];
  return [tool.replace(/^mcp__.+__/, ""), clipLine(nameSubject(rest), MAX_SUBJECT_CHARACTERS)];
}

/** The end of a path; for a command what it does, without the folder before it and the redirection after it. */
function nameSubject(rest: string): string {
  if (/^\S*[\\/]\S*$/.test(rest)) return rest.replace(/:\d+-\d*$/, "").replace(/^.*[\\/](?=.)/, "");
  return rest.replace(/^(?:cd \S+ && |sleep \d+ && )+|^\w+: |(?: 2>(?:&1|\/dev\/null).*| in \S+)$/g, "");
}
