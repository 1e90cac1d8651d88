import { renderFailure } from "../core/render-failure.ts";
import { type Hosts, scanUsage } from "../hosts/catalogue.ts";
import type { UsageScan } from "../hosts/usage.ts";

/** The accounts of one file, or why there are none: among a thousand files one without permission is no reason to stop. */
export type ScanAttempt = { readonly scan: UsageScan } | { readonly why: string };

export function tryScan(path: string, hosts?: Hosts): ScanAttempt {
  try {
    return { scan: scanUsage(path, hosts) };
  } catch (error) {
    return { why: renderFailure(error) };
  }
}
