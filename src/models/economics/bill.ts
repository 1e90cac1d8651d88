import type { Usage } from "../../core/usage.ts";
import { addSpend, priceUsage, type Spend, zeroSpend } from "./spend.ts";

/** A request as it is billed. */
export interface BilledRequest {
  readonly model: string;
  readonly usage: Usage | undefined;
  /** Where it is not, the answer had at least this much output. */
  readonly isOutputFinal?: boolean;
}

/** What requests cost together, and how far that can be told. */
export interface Bill {
  readonly spend: Spend;
  /** Requests of models that have no price: their tokens count, their dollars do not. */
  readonly unpriced: number;
  readonly isAssumed: boolean;
  /** Requests whose output was at least what is counted. */
  readonly unfinal: number;
}

export const emptyBill: Bill = { spend: zeroSpend, unpriced: 0, isAssumed: false, unfinal: 0 };

/** Whoever tells dollars of several requests adds them up here. */
export function billRequests(requests: Iterable<BilledRequest>): Bill {
  let { spend, unpriced, isAssumed, unfinal } = emptyBill;
  for (const { model, usage, isOutputFinal = true } of requests) {
    if (!usage) continue;
    const priced = priceUsage(usage, model);
    if (priced) spend = addSpend(spend, priced);
    else unpriced++;
    isAssumed ||= priced?.standing === "assumed";
    if (!isOutputFinal) unfinal++;
  }
  return { spend, unpriced, isAssumed, unfinal };
}

export function joinBills(left: Bill, right: Bill): Bill {
  return {
    spend: addSpend(left.spend, right.spend),
    unpriced: left.unpriced + right.unpriced,
    isAssumed: left.isAssumed || right.isAssumed,
    unfinal: left.unfinal + right.unfinal,
  };
}

/** Whether the sum is a lower bound: something in it was not counted to its end, or has no price. */
export function isLowerBound({ unpriced, unfinal }: Pick<Bill, "unpriced" | "unfinal">): boolean {
  return unpriced > 0 || unfinal > 0;
}
