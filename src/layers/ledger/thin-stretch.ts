import { clipText } from "../../core/clip-text.ts";
import type { Block, Message } from "../../core/message.ts";
import { findHandles } from "../../fold/marker.ts";
import { hasPlainOutcome, type LedgerEntry, parseEntries, renderEntry } from "./ledger-text.ts";

const THIN = ":thin";
/** Longer words of the model lie behind the number in front of them. */
export const SHORT_WORDS_CHARACTERS = 160;

export function isThin({ id }: Message): boolean {
  return id.endsWith(THIN);
}

/** How many exchanges a stretch of ledger stands for, by its heading; 0 for a message that only goes on with one. */
export function countCollapsed({ blocks }: Message): number {
  const [first] = blocks;
  if (first?.kind !== "text" || !isOwn(first)) return 0;
  const [heading] = parseEntries(first.text.slice(0, first.text.search(/\n|$/)));
  return heading?.kind === "heading" ? heading.exchanges : 0;
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
  const entries = parseEntries(block.text);
  const left = entries.flatMap(numberOfMereLook);
  const kept = entries.filter((entry) => numberOfMereLook(entry).length === 0).map(shorten);
  const text = [...kept, ...(left.length > 0 ? [renderEntry({ kind: "leftOut", numbers: left })] : [])];
  return { ...block, id: block.id + THIN, text: text.join("\n") };
}

/** Of a call that changed nothing and did not fail, or of a reminder; empty for all else. */
function numberOfMereLook(entry: LedgerEntry): readonly number[] {
  if (entry.kind === "said") return entry.by === "note" && entry.number !== undefined ? [entry.number] : [];
  if (entry.kind !== "call" || !hasPlainOutcome(entry.text)) return [];
  return findHandles(entry.text).length === 0 ? [entry.number] : [];
}

function shorten(entry: LedgerEntry): string {
  const line = renderEntry(entry);
  const isShown = entry.kind === "said" && entry.by === "assistant" && entry.number !== undefined;
  return isShown ? clipText(line, SHORT_WORDS_CHARACTERS) : line;
}
