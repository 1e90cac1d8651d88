import { type Block, type Message, renderInput } from "../../core/message.ts";
import { type Exchange, hasOpaque, splitExchanges } from "../history/exchanges.ts";
import type { HistoryLoad } from "./decide-collapse.ts";
import type { LedgerStyle } from "./describe-call.ts";
import type { Piece } from "./piece.ts";
import { isLedger, isStanding } from "./render-chunk.ts";
import { renderExchange } from "./render-exchange.ts";

/** An exchange that may go, with what would be left of it. */
export interface OldExchange extends Exchange {
  readonly messages: readonly Message[];
  readonly pieces: readonly Piece[];
  /** Something in it is not understood: it stays as it is. */
  readonly isFixed: boolean;
  readonly gainTokens: number;
  readonly keptTokens: number;
}

export interface History extends HistoryLoad {
  readonly old: readonly OldExchange[];
  readonly tailExchanges: number;
}

export interface TailRule {
  /** The last exchanges that stay word for word. */
  readonly keepExchanges: number;
  /** They may weigh no more than this, but for those that are hot. */
  readonly maxTailTokens: number;
  /** What the hot ones may weigh together with the ledger: the line, where there is one. The last stays whatever it weighs. */
  readonly roomTokens?: number;
}

/** What was said in the last exchanges is being worked with: it leaves sight only where a request could not be made otherwise. */
const HOT_EXCHANGES = 3;

/** A conversation in its three parts: the ledger in front, what has grown old, and the end that stays. */
export function weighHistory(
  messages: readonly Message[],
  countTokens: (message: Message) => number,
  { style, tail }: { readonly style: LedgerStyle; readonly tail: TailRule },
): History {
  const exchanges = splitExchanges(messages);
  // What a door says beside the ledger is said again each time, and decides nothing.
  const weigh = (message: Message): number => (isStanding(message) ? 0 : countTokens(message));
  const sizes = exchanges.map(({ first, last }) => sum(messages.slice(first, last + 1).map(weigh)));
  const hasLedger = ({ first, last }: Exchange): boolean => messages.slice(first, last + 1).some(isLedger);
  const start = exchanges.findLastIndex(hasLedger) + 1;
  const ledgerTokens = sum(sizes.slice(0, start));
  const { roomTokens = Number.POSITIVE_INFINITY } = tail;
  const cut = Math.max(start, findCut(sizes, { ...tail, roomTokens: roomTokens - ledgerTokens }));
  const old = exchanges.slice(start, cut).map((exchange, offset) => {
    const own = messages.slice(exchange.first, exchange.last + 1);
    const size = sizes[start + offset] ?? 0;
    const isFixed = own.some(hasOpaque);
    const { pieces, share } = isFixed ? { pieces: [], share: 1 } : renderOnce(own, style);
    return { ...exchange, messages: own, pieces, isFixed, gainTokens: size * (1 - share), keptTokens: size * share };
  });
  return { ledgerTokens, old, tailTokens: sum(sizes.slice(cut)), tailExchanges: exchanges.length - cut };
}

/** The exchange from which on everything stays. */
export function findCut(sizes: readonly number[], rule: TailRule): number {
  const { keepExchanges, maxTailTokens, roomTokens = Number.POSITIVE_INFINITY } = rule;
  let cut = Math.max(0, sizes.length - keepExchanges);
  let tail = sum(sizes.slice(cut));
  const dropWhileAbove = (tokens: number, kept: number): void => {
    while (cut < sizes.length - kept && tail > tokens) tail -= sizes[cut++] ?? 0;
  };
  dropWhileAbove(maxTailTokens, HOT_EXCHANGES);
  dropWhileAbove(Math.max(maxTailTokens, roomTokens), 1);
  return cut;
}

interface Rendered {
  readonly pieces: readonly Piece[];
  readonly share: number;
}

const rendered = new WeakMap<
  Message,
  { readonly own: readonly Message[]; readonly style: LedgerStyle; readonly result: Rendered }
>();

/** Messages are immutable, and an exchange is looked at with every request until it goes. */
function renderOnce(own: readonly Message[], style: LedgerStyle): Rendered {
  const [first] = own;
  if (!first) return { pieces: [], share: 1 };
  const known = rendered.get(first);
  // Any of them may have been edited in between: a result folded, a reminder dropped.
  const isSame = known?.own.length === own.length && known.own.every((message, index) => message === own[index]);
  if (known && isSame && known.style === style) return known.result;
  const pieces = renderExchange(own, style);
  const result = { pieces, share: measureShare(own, pieces, style.isBrief ? MAX_UNWORDED_CHARACTERS : 0) };
  rendered.set(first, { own, style, result });
  return result;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** No line would be longer by more if what is left out of it were worded. */
const MAX_UNWORDED_CHARACTERS = 600;
/** An image weighs about as much as so many characters, on both sides alike. */
const IMAGE_CHARACTERS = 4_000;

/**
 * The share of an exchange's characters that its pieces keep: good enough to decide by, at a fraction of what weighing the
 * pieces takes. What is decided is weighed exactly.
 */
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
