import type { ReplaceSpan } from "../../core/edit.ts";
import { hashText } from "../../core/hash.ts";
import type { Block, Message, TextBlock } from "../../core/message.ts";
import { replaceSpan } from "../../core/propose-edit.ts";
import { splitExchanges } from "../history/exchanges.ts";
import { type Hash, nameOriginal, renderThoughts } from "../history/originals.ts";
import { plainVocabulary } from "../history/vocabulary.ts";
import type { LedgerStyle } from "./describe-call.ts";
import { renderEntry, renderHeading, renderSaid } from "./ledger-text.ts";
import { type Piece, renderExchange, type Section } from "./render-exchange.ts";
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

const PLAIN: LedgerStyle = { vocabulary: plainVocabulary, wordsCharacters: 0 };

/** Words are still here; what a line shortens, and what was thought, lies behind one handle. */
function renderSectionsOf(span: readonly Message[], pieces: readonly Piece[]): string | undefined {
  const sections: [string, string][] = [];
  for (const [index, piece] of listLines(pieces).entries())
    for (const { part, text } of piece.sections) sections.push([`${index + 1}${part}`, text]);
  const thoughts = renderThoughts(span);
  if (thoughts !== "") sections.push(["thoughts", thoughts]);
  return sections.length === 0 ? undefined : renderSections(sections);
}

interface Line {
  readonly text: string;
  readonly sections: readonly Section[];
}

/** Those that stand for more than they say, in the order of their numbers. */
function listLines(pieces: readonly Piece[]): readonly Line[] {
  return pieces.filter((piece) => piece.kind === "line").filter(({ sections }) => sections.length > 0);
}

/** Pieces as messages: one text for all that stands between images and system messages. */
function composeMessages(heading: string, pieces: readonly Piece[], name: string): readonly Message[] {
  const messages: Message[] = [];
  const seen = new Set<string>();
  let blocks: Block[] = [];
  let lines: string[] = [heading];
  let number = 0;
  const id = (): string => `${LEDGER_PREFIX}${name}:${messages.length}`;
  const closeBlock = (): void => {
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
    if (piece.kind === "line")
      lines.push(
        piece.sections.length > 0 ? renderEntry({ kind: "call", number: ++number, text: piece.text }) : piece.text,
      );
    else if (piece.kind === "message") {
      closeMessage();
      messages.push(piece.message);
    } else if (piece.block.kind === "image") {
      closeBlock();
      blocks.push(piece.block);
    } else if (!isRepeatedNote(piece.block, seen)) {
      const { author, text } = piece.block;
      lines.push(renderSaid(author === "person" ? "person" : "note", text));
    }
  }
  closeMessage();
  return messages;
}

/** A reminder that stands above already, word for word, need not be said twice. */
function isRepeatedNote({ author, text }: TextBlock, seen: Set<string>): boolean {
  if (author !== "host") return false;
  if (seen.has(text)) return true;
  seen.add(text);
  return false;
}
