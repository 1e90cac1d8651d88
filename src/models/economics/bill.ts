import type { Usage } from "../../core/usage.ts";
import { addSpend, priceByList, priceUsage, type Spend, zeroSpend } from "./spend.ts";

export interface BilledRequest {
  readonly model: string;
  readonly usage: Usage | undefined;
  /** If false, the output is a lower bound. */
  readonly isOutputFinal?: boolean;
  readonly atMs?: number | undefined;
}

export interface Bill {
  readonly spend: Spend;
  /** Requests of models without a price: their tokens count, their dollars do not. */
  readonly unpriced: number;
  readonly isAssumed: boolean;
  /** Requests whose output is a lower bound. */
  readonly unfinal: number;
  /** Requests whose dollars the client recorded itself, and the list price of those that have one. */
  readonly byClient: ClientPriced;
}

export interface ClientPriced {
  readonly requests: number;
  readonly usd: number;
  /** Those of them with a list price: as recorded, and by the list. */
  readonly listedUsd: number;
  readonly listUsd: number;
  /** A client's own figure is complete. */
  readonly isAtLeast: false;
}

export const emptyBill: Bill = {
  spend: zeroSpend,
  unpriced: 0,
  isAssumed: false,
  unfinal: 0,
  byClient: { requests: 0, usd: 0, listedUsd: 0, listUsd: 0, isAtLeast: false },
};

/** The only place that adds up dollars of several requests. */
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

/** Whether the sum is a lower bound: something in it is incomplete or has no price. */
export function isLowerBound({ unpriced, unfinal }: Pick<Bill, "unpriced" | "unfinal">): boolean {
  return unpriced > 0 || unfinal > 0;
}
