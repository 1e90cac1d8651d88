import { type Block, type Message, renderInput } from "../../core/message.ts";
import { type Exchange, hasOpaque, splitExchanges } from "../history/exchanges.ts";
import { isRecall } from "../history/is-recall.ts";
import type { HistoryLoad } from "./decide-collapse.ts";
import type { LedgerStyle } from "./describe-call.ts";
import type { Piece } from "./piece.ts";
import { isLedger, isStanding } from "./render-chunk.ts";
import { renderExchange } from "./render-exchange.ts";

export interface OldExchange extends Exchange {
  readonly messages: readonly Message[];
  readonly pieces: readonly Piece[];
  /** It holds something we do not understand, so it stays as it is. */
  readonly isFixed: boolean;
  readonly gainTokens: number;
  readonly keptTokens: number;
}

export interface History extends HistoryLoad {
  readonly old: readonly OldExchange[];
  readonly tailExchanges: number;
}

export interface TailRule {
  readonly keepExchanges: number;
  /** Upper limit for the kept exchanges, except the most recent ones. */
  readonly maxTailTokens: number;
  /** Exchanges that begin within the newest so many tokens stay, too. */
  readonly keepTokens?: number;
  /** What was fetched back within so many exchanges stays, too, with what followed it, as far as `maxTailTokens` allows. */
  readonly recalledExchanges?: number;
  /** What the most recent ones may weigh together with the ledger: the line, if there is one. The last one always stays. */
  readonly roomTokens?: number;
}

/** The last exchanges are in use: they are removed only if the request would not fit otherwise. */
const HOT_EXCHANGES = 3;

/** A conversation in three parts: the ledger in front, the old exchanges, and the end that stays. */
export function weighHistory(
  messages: readonly Message[],
  countTokens: (message: Message) => number,
  { style, tail }: { readonly style: LedgerStyle; readonly tail: TailRule },
): History {
  const exchanges = splitExchanges(messages);
  // The text an entry point adds next to the ledger is added again each time, so it does not count.
  const weigh = (message: Message): number => (isStanding(message) ? 0 : countTokens(message));
  const sizes = exchanges.map(({ first, last }) => sum(messages.slice(first, last + 1).map(weigh)));
  const newestLedger = messages.findLastIndex(isLedger);
  const start = exchanges.findLastIndex(({ first }) => first <= newestLedger) + 1;
  const ledgerTokens = sum(sizes.slice(0, start));
  const { roomTokens = Number.POSITIVE_INFINITY, recalledExchanges = 0 } = tail;
  const newest = Math.max(start, findCut(sizes, { ...tail, roomTokens: roomTokens - ledgerTokens }));
  const from = Math.max(start, exchanges.length - recalledExchanges);
  const isHeld = ({ first, last }: Exchange, at: number): boolean =>
    sum(sizes.slice(from + at)) <= tail.maxTailTokens && messages.slice(first, last + 1).some(hasRecall);
  const held = exchanges.slice(from, newest).findIndex(isHeld);
  const cut = held < 0 ? newest : from + held;
  const old = exchanges.slice(start, cut).map((exchange, offset) => {
    const size = sizes[start + offset] ?? 0;
    const { own, pieces, share, isFixed } = renderOnce(messages, exchange, style);
    // Field by field: a spread took most of the time of weighing a long conversation.
    const { first, last } = exchange;
    return { first, last, messages: own, pieces, isFixed, gainTokens: size * (1 - share), keptTokens: size * share };
  });
  return { ledgerTokens, old, tailTokens: sum(sizes.slice(cut)), tailExchanges: exchanges.length - cut };
}

function hasRecall({ blocks }: Message): boolean {
  return blocks.some((block) => block.kind === "toolCall" && isRecall(block.tool, block.input));
}

export function findCut(sizes: readonly number[], rule: TailRule): number {
  const { keepExchanges, maxTailTokens, keepTokens = 0, roomTokens = Number.POSITIVE_INFINITY } = rule;
  if (keepTokens > 0) return findCutByTokens(sizes, keepTokens);
  let cut = Math.max(0, sizes.length - keepExchanges);
  let tail = sum(sizes.slice(cut));
  const dropWhileAbove = (tokens: number, kept: number): void => {
    while (cut < sizes.length - kept && tail > tokens) tail -= sizes[cut++] ?? 0;
  };
  dropWhileAbove(maxTailTokens, HOT_EXCHANGES);
  dropWhileAbove(Math.max(maxTailTokens, roomTokens), 1);
  return cut;
}

/** The caller has said what stays. The last exchange always does. */
function findCutByTokens(sizes: readonly number[], keepTokens: number): number {
  let cut = sizes.length;
  for (let tail = 0; cut > 0 && tail < keepTokens; cut--) tail += sizes[cut - 1] ?? 0;
  return Math.min(cut, Math.max(0, sizes.length - 1));
}

interface Rendered {
  readonly own: readonly Message[];
  readonly pieces: readonly Piece[];
  readonly share: number;
  readonly isFixed: boolean;
}

const NOTHING: Message = { id: "", role: "user", blocks: [] };

const renderedAs = new WeakMap<LedgerStyle, WeakMap<Message, Rendered>>();

/** Cached, because messages are immutable and an exchange is examined with every request until it goes. */
function renderOnce(messages: readonly Message[], { first, last }: Exchange, style: LedgerStyle): Rendered {
  const opening = messages[first] ?? NOTHING;
  const rendered = renderedAs.get(style) ?? new WeakMap<Message, Rendered>();
  renderedAs.set(style, rendered);
  const known = rendered.get(opening);
  // Any of them may have been edited meanwhile: a result folded, a reminder dropped.
  const isSame = known?.own.length === last - first + 1 && known.own.every((each, at) => each === messages[first + at]);
  if (known && isSame) return known;
  const own = messages.slice(first, last + 1);
  const isFixed = own.some(hasOpaque);
  const pieces = isFixed ? [] : renderExchange(own, style);
  const share = isFixed ? 1 : measureShare(own, pieces, style.unwordedCharacters);
  const made = { own, pieces, share, isFixed };
  rendered.set(opening, made);
  return made;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** An image counts as about this many characters on both sides. */
const IMAGE_CHARACTERS = 4_000;

/** The share of an exchange's characters that its pieces keep: quicker than weighing them, and enough to decide. What is chosen is weighed exactly. */
export function measureShare(messages: readonly Message[], pieces: readonly Piece[], more = 0): number {
  const whole = measureMessages(messages);
  const kept = pieces.reduce((sum, piece) => sum + measurePiece(piece) + more, 0);
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
      return renderInput(block).length;
    case "toolResult":
      return block.parts.reduce((sum, part) => sum + (part.kind === "text" ? part.text.length : IMAGE_CHARACTERS), 0);
    default:
      return IMAGE_CHARACTERS;
  }
}
