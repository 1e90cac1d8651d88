import type { SessionEvent } from "../../core/event.ts";
import type { Block, Message, Role } from "../../core/message.ts";
import { estimateMessageTokens, type Tokenizer } from "../../models/tokens.ts";
import { hasOpaque } from "../history/exchanges.ts";
import type { HistoryLoad } from "./decide-collapse.ts";
import type { LedgerStyle } from "./describe-call.ts";
import { renderExchange } from "./render-exchange.ts";
import { findCut, measureShare, type TailRule } from "./weigh-history.ts";

type Weight = HistoryLoad["old"][number];

/** What a conversation weighs, exchange by exchange, as plain data that another process goes on from. */
export interface LoadState {
  readonly ledgerTokens: number;
  readonly exchanges: readonly Weight[];
  /** The exchange that goes on, as far as it came. */
  readonly open?: OpenWeight | undefined;
  /** Of the first of the exchanges, as long as that is what was said before the first answer. */
  readonly openingTokens?: number | undefined;
  /** What stands with the ledger in one message. */
  readonly recordTokens?: number | undefined;
}

interface OpenWeight extends Weight {
  /** Whether an answer would begin the next one. */
  readonly isAnswered: boolean;
}

export interface LoadTracker {
  feed(event: SessionEvent): void;
  /** The conversation was collapsed up to its last exchanges; before them is a record with the ledger in it. */
  collapsed(keptExchanges: number, weights: { readonly ledgerTokens: number; readonly recordTokens: number }): void;
  /** What lies behind the opening, which every window begins with. */
  weight(): number;
  load(tail: TailRule): HistoryLoad;
  state(): LoadState;
}

/**
 * Follows a conversation whose messages somebody else holds, so that it can be asked at every request whether its old part
 * should go. An exchange is weighed once, when the next one begins, and forgotten.
 */
export function createLoadTracker(style: LedgerStyle, tokenizer: () => Tokenizer, saved?: LoadState): LoadTracker {
  const exchanges = [...(saved?.exchanges ?? [])];
  let ledgerTokens = saved?.ledgerTokens ?? 0;
  let open: Message[] = [];
  let before = saved?.open;
  let openingTokens = saved?.openingTokens ?? 0;
  let recordTokens = saved?.recordTokens ?? 0;
  /** After our answer the client tells a boundary and what we answered; both are known. */
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
  const weighClosed = (): OpenWeight | undefined =>
    weighOpen(open.some(hasOpaque) ? 1 : measureShare(open, renderExchange(open, style)));
  /** The exchange that goes on is never old, so it does not matter what would be left of it. */
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
  };
  const add = (role: Role, blocks: readonly Block[]): void => {
    if (ours === "told") ours = undefined;
    // An exchange begins with an answer that follows what somebody else said.
    if (role === "assistant" && (before?.isAnswered || open.some((message) => message.role === "user"))) {
      exchanges.splice(0, exchanges.length, ...withLast(weighClosed()));
      // The first answer: nothing was carried before it but the opening.
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
        else if (ours === undefined)
          ledgerTokens += estimateMessageTokens({ id: "", role: "user", blocks: [event.block] }, tokenizer());
      }
      if (event.kind === "compaction") {
        if (ours !== "answered") forget();
        ours = ours === "answered" ? "told" : undefined;
      }
    },
    collapsed(keptExchanges, weights) {
      // The open exchange is one of those that stay.
      const gone = exchanges.splice(0, Math.max(0, exchanges.length - Math.max(0, keptExchanges - 1)));
      if (gone.length > 0) openingTokens = 0;
      ({ ledgerTokens, recordTokens } = weights);
      ours = "answered";
    },
    weight() {
      // Before the first answer there is nothing but the opening.
      const isOpening = exchanges.length === 0 && ledgerTokens === 0 && open.every(({ role }) => role !== "assistant");
      if (isOpening && before === undefined) return 0;
      return Math.max(ledgerTokens, recordTokens) + sumOf(listAll()) - openingTokens;
    },
    load(tail) {
      const all = listAll();
      const sizes = all.map(({ gainTokens, keptTokens }) => gainTokens + keptTokens);
      const cut = findCut(sizes, tail);
      return {
        ledgerTokens,
        old: all.slice(0, cut),
        tailTokens: sizes.slice(cut).reduce((sum, size) => sum + size, 0),
      };
    },
    state: () => ({ ledgerTokens, exchanges: [...exchanges], open: weighClosed(), openingTokens, recordTokens }),
  };
}

function sumOf(weights: readonly Weight[]): number {
  return weights.reduce((sum, { gainTokens, keptTokens }) => sum + gainTokens + keptTokens, 0);
}
