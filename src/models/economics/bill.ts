import type { Usage } from "../../core/usage.ts";
import { addSpend, priceByList, priceUsage, type Spend, zeroSpend } from "./spend.ts";

/** A request as it is billed. */
export interface BilledRequest {
  readonly model: string;
  readonly usage: Usage | undefined;
  /** Where it is not, the answer had at least this much output. */
  readonly isOutputFinal?: boolean;
  /** When it was made. */
  readonly atMs?: number | undefined;
}

/** What requests cost together, and how far that can be told. */
export interface Bill {
  readonly spend: Spend;
  /** Requests of models that have no price: their tokens count, their dollars do not. */
  readonly unpriced: number;
  readonly isAssumed: boolean;
  /** Requests whose output was at least what is counted. */
  readonly unfinal: number;
  /** Requests whose dollars the client wrote down itself, and what the list says of those of them that it knows. */
  readonly byClient: ClientPriced;
}

export interface ClientPriced {
  readonly requests: number;
  readonly usd: number;
  /** Of these, those that the list has a price for: as recorded, and by the list. */
  readonly listedUsd: number;
  readonly listUsd: number;
  /** What a client wrote down is all of it. */
  readonly isAtLeast: false;
}

const NO_CLIENT_PRICE: ClientPriced = { requests: 0, usd: 0, listedUsd: 0, listUsd: 0, isAtLeast: false };

export const emptyBill: Bill = {
  spend: zeroSpend,
  unpriced: 0,
  isAssumed: false,
  unfinal: 0,
  byClient: NO_CLIENT_PRICE,
};

/** Whoever tells dollars of several requests adds them up here. */
export function billRequests(requests: Iterable<BilledRequest>): Bill {
  let { spend, unpriced, isAssumed, unfinal, byClient } = emptyBill;
  for (const { model, usage, atMs, isOutputFinal = true } of requests) {
    if (!usage) continue;
    const priced = priceUsage(usage, model, { atMs });
    if (usage.recordedUsd !== undefined) {
      const list = priceByList(usage, model, { atMs });
      const { recordedUsd: usd } = usage;
      byClient = joinClientPriced(byClient, {
        requests: 1,
        usd,
        listedUsd: list ? usd : 0,
        listUsd: list?.totalUsd ?? 0,
        isAtLeast: false,
      });
    }
    if (priced) spend = addSpend(spend, priced);
    else unpriced++;
    isAssumed ||= priced?.standing === "assumed";
    if (!isOutputFinal) unfinal++;
  }
  return { spend, unpriced, isAssumed, unfinal, byClient };
}

function joinClientPriced(left: ClientPriced, right: ClientPriced): ClientPriced {
  return {
    requests: left.requests + right.requests,
    usd: left.usd + right.usd,
    listedUsd: left.listedUsd + right.listedUsd,
    listUsd: left.listUsd + right.listUsd,
    isAtLeast: false,
  };
}

export function joinBills(left: Bill, right: Bill): Bill {
  return {
    spend: addSpend(left.spend, right.spend),
    unpriced: left.unpriced + right.unpriced,
    isAssumed: left.isAssumed || right.isAssumed,
    unfinal: left.unfinal + right.unfinal,
    byClient: joinClientPriced(left.byClient, right.byClient),
  };
}

/** Whether the sum is a lower bound: something in it was not counted to its end, or has no price. */
export function isLowerBound({ unpriced, unfinal }: Pick<Bill, "unpriced" | "unfinal">): boolean {
  return unpriced > 0 || unfinal > 0;
}
