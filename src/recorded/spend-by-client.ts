import { HOSTS, type Hosts, hostOfListed } from "../hosts/catalogue.ts";
import type { StepUsage } from "../hosts/usage.ts";
import { billRequests, isLowerBound } from "../models/economics/bill.ts";
import type { ScannedFile } from "./join-scans.ts";
import { passOverSubagents } from "./own-data.ts";

/** What went through one of the clients that a person uses. */
export interface ClientSpend {
  /** For people. */
  readonly client: string;
  /** Without its subagents. */
  readonly sessions: number;
  readonly requests: number;
  readonly totalUsd: number;
  readonly isAtLeast: boolean;
  readonly isAssumed: boolean;
  /** Whether it writes down what a request cost: where not, its sessions are in no sum. */
  readonly recordsUsage: boolean;
}

/** Of every client that something is recorded of, the dearest first. */
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
