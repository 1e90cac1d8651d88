import { clipEnds } from "../../core/clip-ends.ts";
import { type Block, computeOnce, type Message, type TextBlock } from "../../core/message.ts";
import { findHandles } from "../../fold/marker.ts";
import { findTask, isTask, type LedgerLengths } from "./describe-call.ts";
import {
  clipCall,
  clipLineEnds,
  clipReport,
  dropPreview,
  hasLasting,
  hasPlainOutcome,
  isReport,
  type LedgerEntry,
  parseEntries,
  renderEntry,
} from "./ledger-text.ts";
import { isList, type LedgerCall, labelLeftOut, nameSegments } from "./render-chunk.ts";
import { REMARKS } from "./render-exchange.ts";

export const THIN = ":thin";
/** Answers to the person and tasks get more room than findings and actions on the way. */
const ANSWER_SHARE = 2;
const REPORT_SHARE = 2;
const CALL_SHARE = 2 / 3;
const TASK_SHARE = 4 * CALL_SHARE;
/** The share of all text, and of the person's longer words, that is left at each level. */
const LEVEL_SHARE = { 1: 1, 2: 0.5, 3: 0.5, 4: 0.5 } as const;
const PERSON_CHARACTERS = { 1: 4_000, 2: 2_000, 3: 480, 4: 120 } as const;

/** How many exchanges a segment stands for, by its heading; 0 for a message that continues one. */
export function countCollapsed({ blocks }: Message): number {
  const [first] = blocks;
  if (first?.kind !== "text" || !isOwn(first)) return 0;
  const [heading] = parseEntries(first.text.slice(0, first.text.search(/\n|$/)));
  return heading?.kind === "heading" ? heading.exchanges : 0;
}

export interface Thinning extends Pick<LedgerLengths, "oldWordsCharacters"> {
  /** A later segment holds the task, so this one's is out of date. */
  readonly isReplaced: boolean;
  readonly level: ThinLevel;
}

/** 1 for an old segment, 2 for a very old one. If the ledger has no room left: 3 for words and findings, 4 for the person's words alone. */
export type ThinLevel = 1 | 2 | 3 | 4;

/** Cached, because a segment is searched for its task and rules, and shortened at several levels. */
export const entriesOf: (block: TextBlock) => readonly LedgerEntry[] = computeOnce(({ text }) => parseEntries(text));

export function hasTask({ blocks }: Message): boolean {
  return blocks.some((block) => block.kind === "text" && isOwn(block) && findTask(entriesOf(block)) >= 0);
}

/**
 * Shortens a ledger segment: mere lookups are grouped by name. Words, changes, failures and lasting outcomes are clipped. The current task,
 * anything with a handle of its own, and the numbers stay, so every line can still be fetched.
 */
export function thinSegment(message: Message, thinning: Thinning): Message {
  const last = thinning.isReplaced
    ? -1
    : message.blocks.findLastIndex((block) => hasTask({ ...message, blocks: [block] }));
  const blocks = message.blocks.map((block, at) => thinBlock(block, { ...thinning, isReplaced: at !== last }));
  return { ...message, id: message.id + THIN, blocks };
}

/** Whether the ledger wrote it: text typed by the person is never parsed as ledger. */
function isOwn({ id }: Block): boolean {
  return id.startsWith("ledger:");
}

function thinBlock(block: Block, thinning: Thinning): Block {
  // The person's own blocks stay in between as they came.
  if (block.kind !== "text" || !isOwn(block)) return block;
  const entries = entriesOf(block);
  const standing = thinning.isReplaced ? -1 : findTask(entries);
  const lines: string[] = [];
  let leaving: LedgerCall[] = [];
  const close = (): void => {
    const label = thinning.level < 4 ? labelLeftOut : nameSegments;
    if (leaving.length > 0) lines.push(renderEntry({ kind: "leftOut", lines: label(leaving) }));
    leaving = [];
  };
  for (const [at, entry] of entries.entries()) {
    const left = leaveOut(entry, thinning.level, isAnswer(entries, at));
    leaving.push(...left);
    if (left.length > 0) continue;
    // At level 4, lines left as numbers are listed once, after the person's words.
    if (thinning.level < 4) close();
    if (entry.kind === "call")
      lines.push(renderEntry(at === standing && thinning.level < 3 ? entry : shortenCall(entry, thinning)));
    else lines.push(shortenWords(entry, findShare(entries, at), thinning));
  }
  close();
  return { ...block, id: block.id + THIN, text: lines.join("\n") };
}

/** What a level reduces to a number with a label; empty for everything that stays. */
function leaveOut(entry: LedgerEntry, level: ThinLevel, isAnswer: boolean): readonly LedgerCall[] {
  if (level === 4 && entry.kind === "leftOut")
    return entry.lines.flatMap(({ first, last, label }) =>
      Array.from({ length: last - first + 1 }, (_, at) => ({ number: first + at, call: label })),
    );
  if ((entry.kind !== "said" && entry.kind !== "call") || entry.number === undefined) return [];
  const { number, text } = entry;
  if (entry.kind === "said" && entry.by === "person") return [];
  if (level === 4) return [{ number, call: entry.kind === "call" ? text : REMARKS }];
  if (entry.kind === "said") {
    if (entry.by === "note") return [{ number, call: `note ${text}` }];
    return level === 3 && entry.by === "assistant" && !isAnswer ? [{ number, call: REMARKS }] : [];
  }
  // The content of a change is fetched by its number.
  if (level === 3) return hasLasting(text) ? [] : [{ number, call: text.replace(/^(\S+ \S+): .*/s, "$1") }];
  // Nothing was changed and nothing failed.
  const isLook = (hasPlainOutcome(text) || isList(text)) && findHandles(text).length === 0;
  return isLook ? [{ number, call: text }] : [];
}

/** A subagent's findings and final answers to the user get more room. */
function findShare(entries: readonly LedgerEntry[], at: number): number {
  const entry = entries[at];
  if (entry?.kind === "said" && entry.by === "report") return REPORT_SHARE;
  return isAnswer(entries, at) ? ANSWER_SHARE : 1;
}

/** An answer to the person comes right before their next words. */
function isAnswer(entries: readonly LedgerEntry[], at: number): boolean {
  const next = entries[at + 1];
  return next === undefined || (next.kind === "said" && next.by === "person");
}

function shortenCall(
  entry: LedgerEntry & { readonly kind: "call" },
  { oldWordsCharacters, level }: Thinning,
): LedgerEntry {
  if (findHandles(entry.text).length > 0) return { ...entry, text: dropPreview(entry.text) };
  const room = oldWordsCharacters * LEVEL_SHARE[level];
  if (isReport(entry.text)) return { ...entry, text: clipReport(entry.text, Math.round(room * REPORT_SHARE)) };
  const text = isTask(entry.text)
    ? clipCall(entry.text, Math.round(room * TASK_SHARE), clipLineEnds)
    : clipCall(entry.text, Math.round(room * CALL_SHARE));
  return { ...entry, text };
}

function shortenWords(entry: LedgerEntry, share: number, { oldWordsCharacters, level }: Thinning): string {
  const line = renderEntry(entry);
  const isShown = entry.kind === "said" && entry.by !== "note" && entry.number !== undefined;
  if (isShown && entry.by === "person")
    return renderEntry({ ...entry, text: clipEnds(entry.text, PERSON_CHARACTERS[level]) });
  return isShown ? clipLineEnds(line, oldWordsCharacters * share * LEVEL_SHARE[level]) : line;
}
