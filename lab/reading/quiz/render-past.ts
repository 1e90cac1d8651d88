import { type Block, type Message, renderResultText } from "../../../src/core/message.ts";
import type { ReplaySession } from "../../../src/replay/session.ts";
import { renderTranscript } from "../../../src/wire/run-layers.ts";

/** Longer results are shortened for whoever reads everything; said in their place. */
const MAX_RESULT = 24_000;
const HEAD = 16_000;
const TAIL = 6_000;
/** So many requests say what came next. */
const NEXT_REQUESTS = 15;

/** Everything that was said before the request, as one text: nobody's memory, the truth that memories are held against. */
export function renderPast({ steps }: ReplaySession, step: number): string {
  return renderTranscript(steps.slice(0, step + 1).flatMap(({ joined }) => joined.map(shorten)));
}

/** What the model did then, and what came back. */
export function renderNext({ steps }: ReplaySession, step: number): string {
  // The answer to the request at the cut joins with the request after it.
  const next = steps.slice(step + 1, step + NEXT_REQUESTS + 1);
  return renderTranscript(next.flatMap(({ joined }) => joined.map(shorten)));
}

function shorten(message: Message): Message {
  return message.blocks.some(isEnormous) ? { ...message, blocks: message.blocks.map(shortenBlock) } : message;
}

function isEnormous(block: Block): boolean {
  return block.kind === "toolResult" && renderResultText(block).length > MAX_RESULT;
}

function shortenBlock(block: Block): Block {
  if (block.kind !== "toolResult" || !isEnormous(block)) return block;
  const text = renderResultText(block);
  const left = text.length - HEAD - TAIL;
  const shown = `${text.slice(0, HEAD)}\n[... ${left} characters of this result are left out here ...]\n${text.slice(-TAIL)}`;
  return { ...block, parts: [{ kind: "text", text: shown }] };
}
