import type { ReplaceSpan } from "../../core/edit.ts";
import { hashText } from "../../core/hash.ts";
import type { Block, Message } from "../../core/message.ts";
import { type Hash, nameOriginal, renderThoughts } from "../history/originals.ts";
import type { Piece } from "./render-exchange.ts";

const ID_PREFIX = "ledger:";

/** Whether a message is a stretch of the ledger: from then on it stays as it is. */
export function isLedger({ id }: Message): boolean {
  return id.startsWith(ID_PREFIX);
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
  // Words are still here, inputs and results have their own handles: what is left is what was thought.
  const thoughts = renderThoughts(span);
  const thoughtsHandle = thoughts === "" ? [] : [nameOriginal(thoughts, hash)];
  const thinking = thoughtsHandle.map((handle) => `, what was thought by ${handle}`).join("");
  const heading = `[LEDGER: ${exchanges} earlier exchanges, each call in one line; a result comes back word for word by its handle${thinking}]`;
  const opening: Piece = { kind: "line", text: heading, handles: thoughtsHandle };
  const handles = new Set([opening, ...pieces].flatMap((piece) => (piece.kind === "line" ? piece.handles : [])));
  return {
    kind: "replaceSpan",
    first: first.id,
    last: last.id,
    messages: composeMessages([opening, ...pieces], hashText(`${first.id} ${last.id}`)),
    by,
    reason: `${exchanges} exchanges of ${span.length} messages collapsed into the ledger`,
    handles: [...handles],
  };
}

/** Pieces as messages: neighbouring lines share a block, whatever stands between system messages a message. */
function composeMessages(pieces: readonly Piece[], name: string): readonly Message[] {
  const messages: Message[] = [];
  const seen = new Set<string>();
  let blocks: Block[] = [];
  let lines: string[] = [];
  const id = (): string => `${ID_PREFIX}${name}:${messages.length}`;
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
    if (piece.kind === "line") lines.push(piece.text);
    else if (piece.kind === "message") {
      closeMessage();
      messages.push(piece.message);
    } else if (!isRepeatedNote(piece.block, seen)) {
      closeBlock();
      blocks.push(piece.block);
    }
  }
  closeMessage();
  return messages;
}

/** A reminder that stands above already, word for word, need not be said twice. */
function isRepeatedNote(block: Block, seen: Set<string>): boolean {
  if (block.kind !== "text" || block.author !== "host") return false;
  if (seen.has(block.text)) return true;
  seen.add(block.text);
  return false;
}
