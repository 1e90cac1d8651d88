import type { Block, Message } from "../../core/message.ts";
import type { Piece } from "./piece.ts";

/** An image weighs about as much as so many characters, on both sides alike. */
const IMAGE_CHARACTERS = 4_000;

/**
 * The share of an exchange's characters that its pieces keep: good enough to decide by, at a fraction of what weighing the
 * pieces takes. What is decided is weighed exactly.
 */
export function measureShare(messages: readonly Message[], pieces: readonly Piece[]): number {
  const whole = measureMessages(messages);
  const kept = pieces.reduce((sum, piece) => sum + measurePiece(piece), 0);
  return whole === 0 ? 1 : Math.min(1, kept / whole);
}

function measurePiece(piece: Piece): number {
  if (piece.kind === "line") return piece.text.length;
  return piece.kind === "block" ? measureBlock(piece.block) : measureMessages([piece.message]);
}

function measureMessages(messages: readonly Message[]): number {
  let sum = 0;
  for (const { blocks } of messages) for (const block of blocks) sum += measureBlock(block);
  return sum;
}

function measureBlock(block: Block): number {
  switch (block.kind) {
    case "text":
      return block.text.length;
    case "thinking":
      return Math.max(block.text.length, block.signature.length);
    case "toolCall":
      return JSON.stringify(block.input).length;
    case "toolResult":
      return block.parts.reduce((sum, part) => sum + (part.kind === "text" ? part.text.length : IMAGE_CHARACTERS), 0);
    default:
      return IMAGE_CHARACTERS;
  }
}
