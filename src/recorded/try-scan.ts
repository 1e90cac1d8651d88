import { renderFailure } from "../core/render-failure.ts";
import { scanUsage, type UsageScan } from "../hosts/claude-code/disk/scan-usage.ts";

/** The accounts of one file, or why there are none: among a thousand files one without permission is no reason to stop. */
export type ScanAttempt = { readonly scan: UsageScan } | { readonly why: string };

export function tryScan(path: string): ScanAttempt {
  try {
    return { scan: scanUsage(path) };
  } catch (error) {
    return { why: renderFailure(error) };
  }
}
