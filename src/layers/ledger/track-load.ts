import type { SessionEvent } from "../../core/event.ts";
import type { Block, Message, Role } from "../../core/message.ts";
import { estimateMessageTokens, type Tokenizer } from "../../models/tokens.ts";
import { hasOpaque } from "../history/exchanges.ts";
import type { HistoryLoad } from "./decide-collapse.ts";
import type { LedgerStyle } from "./describe-call.ts";
import type { KnownLine, KnownLines } from "./piece.ts";
import { renderExchange } from "./render-exchange.ts";
import { findCut, measureShare, type TailRule } from "./weigh-history.ts";

type Weight = HistoryLoad["old"][number];

/** The size of a conversation, exchange by exchange, as plain data that another process can continue from. */
export interface LoadState {
  readonly ledgerTokens: number;
  readonly exchanges: readonly Weight[];
  readonly open?: OpenWeight | undefined;
  /** Size of the first exchange, while it is what was said before the first answer. */
  readonly openingTokens?: number | undefined;
  /** What is in the same message as the ledger. */
  readonly recordTokens?: number | undefined;
  /** How the closed exchanges are worded. */
  readonly lines?: readonly (readonly [string, KnownLine])[] | undefined;
}

interface OpenWeight extends Weight {
  /** Whether an answer would begin the next exchange. */
  readonly isAnswered: boolean;
}

export interface LoadTracker {
  feed(event: SessionEvent): void;
  /** The conversation was collapsed except for its last exchanges; before them is a record with the ledger in it. */
  collapsed(keptExchanges: number, weights: { readonly ledgerTokens: number; readonly recordTokens: number }): void;
  /** Everything after the opening, which every window begins with. */
  weight(): number;
  load(tail: TailRule): HistoryLoad;
  /** The lines of the exchanges so far, so that a collapse need not word them again. */
  lines(): KnownLines;
  state(): LoadState;
}

/** Tracks a conversation held elsewhere, to decide at every request whether its old part should go. An exchange is weighed once, as the next begins. */
export function createLoadTracker(style: LedgerStyle, tokenizer: () => Tokenizer, saved?: LoadState): LoadTracker {
  const exchanges = [...(saved?.exchanges ?? [])];
  const known: KnownLines = new Map(saved?.lines);
  const remembering: LedgerStyle = { ...style, known };
  let ledgerTokens = saved?.ledgerTokens ?? 0;
  let open: Message[] = [];
  let before = saved?.open;
  let openingTokens = saved?.openingTokens ?? 0;
  let recordTokens = saved?.recordTokens ?? 0;
  /** After our answer the client sends a boundary and, behind what it repeats in every window, our answer; both are already known. */
  let ours: "answered" | "told" | undefined;

  let openTokens = 0;

  const weighOpen = (share: number): OpenWeight | undefined => {
    if (open.length === 0) return before;
    return {
      gainTokens: openTokens * (1 - share) + (before?.gainTokens ?? 0),
      keptTokens: openTokens * share + (before?.keptTokens ?? 0),
      isAnswered: before?.isAnswered === true || open.some(({ role }) => role === "user"),
    };
  };
  /** What would be left of it is found by rendering it, which takes as long as everything else here. */
  const weighClosed = (as: LedgerStyle): OpenWeight | undefined =>
    weighOpen(open.some(hasOpaque) ? 1 : measureShare(open, renderExchange(open, as)));
  /** The current exchange is never old, so what would be left of it does not matter. */
  const listAll = (): readonly Weight[] => withLast(weighOpen(0));
  const withLast = (last: OpenWeight | undefined): readonly Weight[] =>
    last ? [...exchanges, { gainTokens: last.gainTokens, keptTokens: last.keptTokens }] : exchanges;
  const forgetOpen = (): void => {
    open = [];
    openTokens = 0;
    before = undefined;
  };
  const forget = (): void => {
    exchanges.length = 0;
    forgetOpen();
    ledgerTokens = 0;
    openingTokens = 0;
    recordTokens = 0;
    known.clear();
  };
  const add = (role: Role, blocks: readonly Block[]): void => {
    // An exchange begins with an answer that follows someone else's message.
    if (role === "assistant" && (before?.isAnswered || open.some((message) => message.role === "user"))) {
      exchanges.splice(0, exchanges.length, ...withLast(weighClosed(remembering)));
      // The first answer: only the opening came before it.
      if (exchanges.length === 1 && ledgerTokens === 0) openingTokens = sumOf(exchanges);
      forgetOpen();
    }
    const message = { id: "", role, blocks };
    open.push(message);
    openTokens += estimateMessageTokens(message, tokenizer());
  };

  return {
    feed(event) {
      if (event.kind === "output" && event.blocks.length > 0) add("assistant", event.blocks);
      if (event.kind === "arrival") {
        if (event.source !== "summary") add(event.role, [event.block]);
        else if (ours === "told") ours = undefined;
        else if (ours === undefined)
          ledgerTokens += estimateMessageTokens({ id: "", role: "user", blocks: [event.block] }, tokenizer());
      }
      if (event.kind === "compaction") {
        if (ours !== "answered") forget();
        ours = ours === "answered" ? "told" : undefined;
      }
    },
    collapsed(keptExchanges, weights) {
      // The current exchange is one of those kept.
      const gone = exchanges.splice(0, Math.max(0, exchanges.length - Math.max(0, keptExchanges - 1)));
      if (gone.length > 0) openingTokens = 0;
      known.clear();
      ({ ledgerTokens, recordTokens } = weights);
      ours = "answered";
    },
    weight() {
      const isOpening = exchanges.length === 0 && ledgerTokens === 0 && open.every(({ role }) => role !== "assistant");
      if (isOpening && before === undefined) return 0;
      return Math.max(ledgerTokens, recordTokens) + sumOf(listAll()) - openingTokens;
    },
    load(tail) {
      const all = listAll();
      const sizes = all.map(({ gainTokens, keptTokens }) => gainTokens + keptTokens);
      const cut = findCut(sizes, tail);
      return {
        ledgerTokens: Math.max(ledgerTokens, recordTokens),
        old: all.slice(0, cut),
        tailTokens: sizes.slice(cut).reduce((sum, size) => sum + size, 0),
      };
    },
    lines: () => new Map(known),
    state: () => ({
      ledgerTokens,
      exchanges: [...exchanges],
      open: weighClosed(style),
      openingTokens,
      recordTokens,
      lines: [...known],
    }),
  };
}

function sumOf(weights: readonly Weight[]): number {
  return weights.reduce((sum, { gainTokens, keptTokens }) => sum + gainTokens + keptTokens, 0);
}
