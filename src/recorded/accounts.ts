import { addUsage, type Usage, zeroUsage } from "../core/usage.ts";
import type { StepUsage } from "../hosts/usage.ts";
import { addToBill, type Bill, emptyBill, joinBills } from "../models/economics/bill.ts";

export interface Account extends Bill {
  readonly requests: number;
  readonly usage: Usage;
}

const emptyAccount: Account = { ...emptyBill, requests: 0, usage: zeroUsage };

/** Sums the steps by a key, in order of first appearance. */
export function keepAccounts(steps: Iterable<readonly [string, StepUsage]>): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  for (const [key, step] of steps) {
    const account = accounts.get(key) ?? emptyAccount;
    accounts.set(key, {
      ...addToBill(account, step),
      requests: account.requests + 1,
      usage: addUsage(account.usage, step.usage),
    });
  }
  return accounts;
}

/** All accounts as one. */
export function sumAccounts(accounts: Iterable<Account>): Account {
  let total = emptyAccount;
  for (const account of accounts) {
    total = {
      ...joinBills(total, account),
      requests: total.requests + account.requests,
      usage: addUsage(total.usage, account.usage),
    };
  }
  return total;
}
