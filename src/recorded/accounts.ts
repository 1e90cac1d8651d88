import { groupBy } from "../core/group-by.ts";
import { addUsage, type Usage, zeroUsage } from "../core/usage.ts";
import { HOSTS, hostOfListed } from "../hosts/catalogue.ts";
import type { StepUsage } from "../hosts/usage.ts";
import { type Bill, billRequests, emptyBill, isLowerBound, joinBills } from "../models/economics/bill.ts";
import type { ScannedFile } from "./join-scans.ts";
import { passOverSubagents } from "./own-data.ts";

export interface RecordedAccount extends Bill {
  readonly requests: number;
  readonly usage: Usage;
}

const emptyAccount: RecordedAccount = { ...emptyBill, requests: 0, usage: zeroUsage };

/** Sums the steps by a key, in order of first appearance. */
export function keepAccounts(steps: Iterable<readonly [string, StepUsage]>): ReadonlyMap<string, RecordedAccount> {
  const groups = groupBy(steps, ([key]) => key);
  return new Map([...groups].map(([key, group]) => [key, accountFor(group.map(([, step]) => step))]));
}

export function accountFor(steps: readonly StepUsage[]): RecordedAccount {
  const usage = steps.reduce((sum, step) => addUsage(sum, step.usage), zeroUsage);
  return { ...billRequests(steps), requests: steps.length, usage };
}

export function sumAccounts(accounts: readonly RecordedAccount[]): RecordedAccount {
  return accounts.reduce(
    (sum, account) => ({
      ...joinBills(sum, account),
      requests: sum.requests + account.requests,
      usage: addUsage(sum.usage, account.usage),
    }),
    emptyAccount,
  );
}

export interface ClientSpend {
  readonly client: string;
  /** Without its subagents. */
  readonly sessions: number;
  readonly requests: number;
  readonly totalUsd: number;
  readonly isAtLeast: boolean;
  /** Part of it is at a price that the vendor's own page does not confirm. */
  readonly isAssumed: boolean;
  /** Whether it records what a request cost. If not, its sessions are in no sum. */
  readonly recordsUsage: boolean;
}

/** One entry per client with recorded sessions, the most expensive first. */
export function spendByClient(parts: readonly Pick<ScannedFile, "file" | "steps">[]): readonly ClientSpend[] {
  const spends = HOSTS.flatMap((host): readonly ClientSpend[] => {
    const own = parts.filter(({ file }) => hostOfListed(file) === host);
    if (own.length === 0) return [];
    const steps = own.flatMap((part) => part.steps);
    const bill = billRequests(steps);
    return [
      {
        client: host.title,
        sessions: passOverSubagents(own, ({ file }) => file).length,
        requests: steps.length,
        totalUsd: bill.spend.totalUsd,
        isAtLeast: isLowerBound(bill),
        isAssumed: bill.isAssumed,
        recordsUsage: host.recordsUsage !== false,
      },
    ];
  });
  return spends.sort((left, right) => right.totalUsd - left.totalUsd);
}
