import type { ReplaceSpan } from "../../core/edit.ts";
import { hashText } from "../../core/hash.ts";
import type { Block, Message } from "../../core/message.ts";
import { replaceSpan } from "../../core/propose-edit.ts";
import { splitExchanges } from "../history/exchanges.ts";
import { type Hash, nameOriginal, renderThoughts } from "../history/originals.ts";
import { plainVocabulary } from "../history/vocabulary.ts";
import type { LedgerStyle } from "./describe-call.ts";
import { renderEntry, renderHeading, renderSaid, renderSameFailure } from "./ledger-text.ts";
import { joinLeftOut } from "./left-out.ts";
import type { Line, Piece } from "./piece.ts";
import { renderExchange } from "./render-exchange.ts";
import { renderSections } from "./sections.ts";

export const LEDGER_PREFIX = "ledger:";

/** Whether a message is a stretch of the ledger: from then on it stays as it is. */
export function isLedger({ id }: Message): boolean {
  return id.startsWith(LEDGER_PREFIX);
}

export const STANDING_PREFIX: string = `${LEDGER_PREFIX}standing:`;

/** Whether a message is what a door says beside the ledger. */
export function isStanding({ id }: Message): boolean {
  return id.startsWith(STANDING_PREFIX);
}

export interface Chunk {
  readonly span: readonly Message[];
  readonly exchanges: number;
  readonly pieces: readonly Piece[];
}

/** Old exchanges as a stretch of ledger. What is said stays said; calls with their results are one line each. */
export function renderChunk(
  { span, exchanges, pieces }: Chunk,
  { by, hash }: { readonly by: string; readonly hash: Hash | undefined },
): ReplaceSpan | undefined {
  const [first, last] = [span[0], span.at(-1)];
  if (!first || !last) return undefined;
  const original = renderSectionsOf(span, pieces);
  const handles = original === undefined ? [] : [nameOriginal(original, hash)];
  const heading = renderHeading(exchanges, handles[0]);
  const messages = composeMessages(heading, pieces, hashText(`${first.id} ${last.id}`));
  const reason = `${exchanges} exchanges of ${span.length} messages collapsed into the ledger`;
  return replaceSpan(span, { messages, by, reason, handles }, hash);
}

/** All that the lines in the place of a span stand for, as one text; however they are worded, it is the same. */
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

/** Words are still here; what a line shortens, and what was thought, lies behind one handle. */
function renderSectionsOf(span: readonly Message[], pieces: readonly Piece[]): string | undefined {
  const sections: [string, string][] = [];
  for (const [index, piece] of listLines(pieces).entries())
    for (const { part, text } of piece.sections) sections.push([`${index + 1}${part}`, text]);
  const thoughts = renderThoughts(span);
  if (thoughts !== "") sections.push(["thoughts", thoughts]);
  return sections.length === 0 ? undefined : renderSections(sections);
}

/**
 * Those that stand for more than they say, in the order of their numbers: what was said in passing comes last, so that one
 * range names it all.
 */
function listLines(pieces: readonly Piece[]): readonly Line[] {
  const lines = pieces.filter((piece) => piece.kind === "line").filter(({ sections }) => sections.length > 0);
  return [...lines.filter(({ isPassing }) => !isPassing), ...lines.filter(({ isPassing }) => isPassing)];
}

/** Pieces as messages: one text for all that stands between images and system messages. */
function composeMessages(heading: string, pieces: readonly Piece[], name: string): readonly Message[] {
  const messages: Message[] = [];
  const renderLine = createLineRenderer(pieces);
  let blocks: Block[] = [];
  let lines: string[] = [heading];
  let untold: { readonly number: number; readonly label: string }[] = [];
  const id = (): string => `${LEDGER_PREFIX}${name}:${messages.length}`;
  const closeBlock = (): void => {
    if (untold.length > 0) lines.push(renderEntry({ kind: "leftOut", lines: joinLeftOut(untold) }));
    untold = [];
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
      if (text === "") untold.push({ number, label: piece.label ?? "" });
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

/** Numbers the lines of a stretch. What stands above already is not said twice: a reminder goes, a failure is told by its number. */
function createLineRenderer(
  pieces: readonly Piece[],
): (line: Line) => { readonly text: string; readonly number: number } {
  const numbers = new Map(listLines(pieces).map((line, index) => [line, index + 1]));
  const notes = new Set<string>();
  const failures = new Map<string, number>();
  const name = createPathShortener();
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
    const known = failure === undefined ? undefined : failures.get(failure);
    if (failure !== undefined && known === undefined) failures.set(failure, number);
    const told = failure !== undefined && known !== undefined ? renderSameFailure(text, failure, known) : text;
    return { text: renderEntry({ kind: "call", number, text: name(line, told) }), number };
  };
}

/** A path stands whole where a file is first changed in a stretch, or first looked at; after that its name does. */
function createPathShortener(): (line: Line, text: string) => string {
  const changed = new Set<string>();
  const known = new Map<string, string>();
  return ({ path = "", isDeed = false }, text) => {
    const name = path.replace(/^.*[\\/]/, "");
    if (name === "" || name === path) return text;
    const isKnown = known.get(name) === path && (!isDeed || changed.has(path));
    if (isDeed) changed.add(path);
    if (!known.has(name) || isDeed) known.set(name, path);
    return isKnown ? text.replace(path, () => name) : text;
  };
}
