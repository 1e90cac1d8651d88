import { addUsage, type Usage, zeroUsage } from "../core/usage.ts";
import { HOSTS, type Hosts, hostOfListed } from "../hosts/catalogue.ts";
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
  const groups = new Map<string, StepUsage[]>();
  for (const [key, step] of steps) {
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return new Map([...groups].map(([key, group]) => [key, accountFor(group)]));
}

function accountFor(steps: readonly StepUsage[]): RecordedAccount {
  let usage = zeroUsage;
  for (const step of steps) usage = addUsage(usage, step.usage);
  return { ...billRequests(steps), requests: steps.length, usage };
}

/** Merges accounts of the same key, in order of first appearance. */
export function joinAccounts(
  entries: Iterable<readonly [string, RecordedAccount]>,
): ReadonlyMap<string, RecordedAccount> {
  const joined = new Map<string, RecordedAccount>();
  for (const [key, account] of entries) {
    const known = joined.get(key);
    joined.set(key, known ? joinTwo(known, account) : account);
  }
  return joined;
}

export function sumAccounts(accounts: Iterable<RecordedAccount>): RecordedAccount {
  let total = emptyAccount;
  for (const account of accounts) total = joinTwo(total, account);
  return total;
}

function joinTwo(left: RecordedAccount, right: RecordedAccount): RecordedAccount {
  return {
    ...joinBills(left, right),
    requests: left.requests + right.requests,
    usage: addUsage(left.usage, right.usage),
  };
}

export interface ClientSpend {
  readonly client: string;
  /** Without its subagents. */
  readonly sessions: number;
  readonly requests: number;
  readonly totalUsd: number;
  readonly isAtLeast: boolean;
  readonly isAssumed: boolean;
  /** Whether it records what a request cost. If not, its sessions are in no sum. */
  readonly recordsUsage: boolean;
}

/** One entry per client with recorded sessions, the most expensive first. */
export function spendByClient(
  parts: readonly { readonly file: ScannedFile["file"]; readonly steps: readonly StepUsage[] }[],
  hosts: Hosts = HOSTS,
): readonly ClientSpend[] {
  const spends = hosts.flatMap((host): readonly ClientSpend[] => {
    const own = parts.filter(({ file }) => hostOfListed(file, hosts) === host);
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
