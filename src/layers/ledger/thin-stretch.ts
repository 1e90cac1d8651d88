import type { Block, Message } from "../../core/message.ts";
import { clipText } from "../../fold/clip-text.ts";
import { findHandles } from "../../fold/marker.ts";

const THIN = ":thin";
/** Longer words of the model lie behind the number in front of them. */
export const SHORT_WORDS_CHARACTERS = 160;

export function isThin({ id }: Message): boolean {
  return id.endsWith(THIN);
}

/** How many exchanges a stretch of ledger stands for, by its heading; 0 for a message that only goes on with one. */
export function countCollapsed({ blocks }: Message): number {
  const [first] = blocks;
  const heading = first?.kind === "text" && isOwn(first) ? /^\[LEDGER: (\d+) earlier/.exec(first.text) : undefined;
  return Number(heading?.[1] ?? 0);
}

/**
 * A stretch of ledger without what was only looked at: words, changes, failures and whatever holds a handle of its own stay,
 * and so do the numbers, so that every line can still be fetched.
 */
export function thinStretch(message: Message): Message {
  return { ...message, id: message.id + THIN, blocks: message.blocks.map(thinBlock) };
}

/** Whether the ledger wrote it: whatever the person typed is not read as one. */
function isOwn({ id }: Block): boolean {
  return id.startsWith("ledger:");
}

function thinBlock(block: Block): Block {
  // The person's own blocks and the host's short notes stand in between as they came.
  if (block.kind !== "text" || !isOwn(block)) return block;
  const lines = block.text.split("\n");
  const kept = lines.filter((line) => !isMereLook(line));
  const left = lines.filter(isMereLook).map((line) => Number.parseInt(line, 10));
  const text = [...kept.map(shorten), ...(left.length > 0 ? [`(left out, still there: ${renderRanges(left)})`] : [])];
  return { ...block, id: block.id + THIN, text: text.join("\n") };
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

/** A call that changed nothing and did not fail, or a reminder. */
function isMereLook(line: string): boolean {
  if (/^\d+ note: /.test(line)) return true;
  if (!/^\d+ (?!assistant: ).* → /.test(line)) return false;
  return !line.includes(" → failed: ") && findHandles(line).length === 0;
}

function shorten(line: string): string {
  return /^\d+ assistant: /.test(line) ? clipText(line, SHORT_WORDS_CHARACTERS) : line;
}
