import { addUsage, type Usage, zeroUsage } from "../core/usage.ts";
import type { StepUsage } from "../hosts/usage.ts";
import { addSpend, priceUsage, type Spend, zeroSpend } from "../models/economics/spend.ts";

export interface Account {
  readonly requests: number;
  readonly usage: Usage;
  readonly spend: Spend;
  /** Requests of models that have no price: their tokens count, their dollars do not. */
  readonly unpriced: number;
  readonly isAssumed: boolean;
  /** Requests whose output was at least what is counted. */
  readonly unfinal: number;
}

const emptyAccount: Account = {
  requests: 0,
  usage: zeroUsage,
  spend: zeroSpend,
  unpriced: 0,
  isAssumed: false,
  unfinal: 0,
};

/** Sums the steps by a key, in order of first appearance. */
export function keepAccounts(steps: Iterable<readonly [string, StepUsage]>): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  for (const [key, { usage, model, isOutputFinal }] of steps) {
    const account = accounts.get(key) ?? emptyAccount;
    const priced = priceUsage(usage, model);
    accounts.set(key, {
      requests: account.requests + 1,
      usage: addUsage(account.usage, usage),
      spend: priced ? addSpend(account.spend, priced) : account.spend,
      unpriced: account.unpriced + (priced ? 0 : 1),
      isAssumed: account.isAssumed || priced?.standing === "assumed",
      unfinal: account.unfinal + (isOutputFinal ? 0 : 1),
    });
  }
  return accounts;
}

/** All accounts as one. */
export function sumAccounts(accounts: Iterable<Account>): Account {
  let total = emptyAccount;
  for (const { requests, usage, spend, unpriced, isAssumed, unfinal } of accounts) {
    total = {
      requests: total.requests + requests,
      usage: addUsage(total.usage, usage),
      spend: addSpend(total.spend, spend),
      unpriced: total.unpriced + unpriced,
      isAssumed: total.isAssumed || isAssumed,
      unfinal: total.unfinal + unfinal,
    };
  }
  return total;
}
