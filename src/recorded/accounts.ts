import { addUsage, type Usage, zeroUsage } from "../core/usage.ts";
import type { StepUsage } from "../hosts/usage.ts";
import { type Bill, billRequests, emptyBill, joinBills } from "../models/economics/bill.ts";

export interface Account extends Bill {
  readonly requests: number;
  readonly usage: Usage;
}

const emptyAccount: Account = { ...emptyBill, requests: 0, usage: zeroUsage };

/** Sums the steps by a key, in order of first appearance. */
export function keepAccounts(steps: Iterable<readonly [string, StepUsage]>): ReadonlyMap<string, Account> {
  const groups = new Map<string, StepUsage[]>();
  for (const [key, step] of steps) {
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return new Map([...groups].map(([key, group]) => [key, accountFor(group)]));
}

function accountFor(steps: readonly StepUsage[]): Account {
  let usage = zeroUsage;
  for (const step of steps) usage = addUsage(usage, step.usage);
  return { ...billRequests(steps), requests: steps.length, usage };
}

/** Accounts of the same key as one, in order of first appearance. */
export function joinAccounts(entries: Iterable<readonly [string, Account]>): ReadonlyMap<string, Account> {
  const joined = new Map<string, Account>();
  for (const [key, account] of entries) {
    const known = joined.get(key);
    joined.set(key, known ? joinTwo(known, account) : account);
  }
  return joined;
}

/** All accounts as one. */
export function sumAccounts(accounts: Iterable<Account>): Account {
  let total = emptyAccount;
  for (const account of accounts) total = joinTwo(total, account);
  return total;
}

function joinTwo(left: Account, right: Account): Account {
  return {
    ...joinBills(left, right),
    requests: left.requests + right.requests,
    usage: addUsage(left.usage, right.usage),
  };
}
