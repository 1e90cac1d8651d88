import type { ReplaceSpan } from "../../core/edit.ts";
import type { View } from "../../core/layer.ts";
import type { Message } from "../../core/message.ts";
import { type Exchange, splitExchanges } from "../history/exchanges.ts";
import { hasOpaque } from "../history/has-opaque.ts";
import type { Hash } from "../history/originals.ts";
import { measureShare } from "./measure-share.ts";
import { isLedger, renderChunk } from "./render-chunk.ts";
import { type Piece, renderExchange } from "./render-exchange.ts";

export interface ChunkOptions {
  readonly triggerTokens: number;
  readonly leastTokens: number;
  readonly keepTokens: number;
  readonly keepExchanges: number;
  /** Decides once, about the conversation as it stands, instead of at every exchange it went through. */
  readonly now: boolean;
  readonly by: string;
  readonly hash: Hash | undefined;
}

/**
 * Walks through the conversation exchange by exchange and decides at each as if it were the last, so what is decided about
 * a beginning does not depend on what follows: a longer history begins with the very same stretches of ledger. The exchange
 * under way is never looked at: it may still grow.
 */
export function planChunks(view: View, options: ChunkOptions): readonly ReplaceSpan[] {
  const history = createHistory(view, options);
  const { exchanges, before } = history;
  const edits: ReplaceSpan[] = [];
  let start = exchanges.findLastIndex(({ isLedger: written }) => written) + 1;
  let saved = 0;
  let cut = start;
  let leastGain = options.leastTokens;
  const closed = exchanges.length - 1;
  for (let end = options.now ? closed : start + 1; end <= closed; end++) {
    while (cut < end && isOld(before, cut, { end, ...options })) cut++;
    if (before(end) - saved <= options.triggerTokens || cut <= start) continue;
    if (history.gain(start, cut) < leastGain) continue;
    const chunks = history.collapse(start, cut);
    // Many small gains between blocks that must stay may come to nothing: tried again only when there is far more.
    leastGain = chunks.length === 0 ? Math.max(1, leastGain) * 1.5 : options.leastTokens;
    for (const chunk of chunks) {
      edits.push(chunk.edit);
      saved += chunk.saving;
      start = chunk.end;
    }
  }
  return edits;
}

/** Whether the exchange lies before everything that must stay: the exchange under way counts among the last ones. */
function isOld(
  before: History["before"],
  at: number,
  { end, keepTokens, keepExchanges }: ChunkOptions & { readonly end: number },
): boolean {
  return end - at - 1 >= keepExchanges - 1 && before(end) - before(at + 1) >= keepTokens;
}

interface History {
  readonly exchanges: readonly (Exchange & { readonly isLedger: boolean })[];
  /** Tokens of all exchanges before an index. */
  before(exchange: number): number;
  /** About how many tokens would go if all exchanges from `start` to before `cut` were collapsed. */
  gain(start: number, cut: number): number;
  collapse(start: number, cut: number): readonly Collapsed[];
}

interface Collapsed {
  readonly edit: ReplaceSpan;
  readonly saving: number;
  /** The exchange after it. */
  readonly end: number;
}

function createHistory(view: View, { by, hash }: ChunkOptions): History {
  const { messages } = view;
  const weigh = (some: readonly Message[]): number => some.reduce((sum, message) => sum + view.countTokens(message), 0);
  const exchanges = splitExchanges(messages).map((exchange) => {
    const own = messages.slice(exchange.first, exchange.last + 1);
    return { ...exchange, own, isLedger: own.some(isLedger), isOpaque: own.some(hasOpaque) };
  });
  const sums = [0];
  for (const { own } of exchanges) sums.push((sums.at(-1) ?? 0) + weigh(own));
  const before = (exchange: number): number => sums[exchange] ?? 0;
  // Rendered once and only where a decision needs it: most requests are below the trigger.
  const pieces = new Map<number, readonly Piece[]>();
  const piecesOf = (exchange: number): readonly Piece[] => {
    const known = pieces.get(exchange) ?? renderExchange(exchanges[exchange]?.own ?? [], hash);
    pieces.set(exchange, known);
    return known;
  };
  const gains = new Map<number, number>();
  const gainUpTo = (cut: number, start: number): number => {
    let at = cut;
    while (at > start && !gains.has(at)) at--;
    let total = at > start ? (gains.get(at) ?? 0) : 0;
    for (; at < cut; at++) {
      total += gainOf(at);
      gains.set(at + 1, total);
    }
    return total;
  };
  const gainOf = (at: number): number => {
    const { isOpaque, own } = exchanges[at] ?? { isOpaque: true, own: [] };
    return isOpaque ? 0 : (before(at + 1) - before(at)) * (1 - measureShare(own, piecesOf(at)));
  };

  const collapseRun = (first: number, end: number): readonly Collapsed[] => {
    const span = exchanges.slice(first, end).flatMap(({ own }) => own);
    const all = exchanges.slice(first, end).flatMap((_, offset) => piecesOf(first + offset));
    const edit = renderChunk({ span, exchanges: end - first, pieces: all }, { by, hash });
    const saving = edit ? before(end) - before(first) - weigh(edit.messages) : 0;
    return edit && saving > 0 ? [{ edit, saving, end }] : [];
  };

  return {
    exchanges,
    before,
    gain: (start, cut) => gainUpTo(cut, start),
    collapse(start, cut) {
      const chunks: Collapsed[] = [];
      for (let first = start; first < cut; ) {
        let end = first;
        while (end < cut && !exchanges[end]?.isOpaque) end++;
        chunks.push(...collapseRun(first, end));
        first = end + 1;
      }
      gains.clear();
      return chunks;
    },
  };
}
