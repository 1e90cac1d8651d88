import type { Totals } from "../../gateway/metrics.ts";

/** What a gateway did, in one line. */
export function renderTotals({ requests, edited, savedTokens, incidents, retries }: Totals): string {
  const saved =
    edited === 0 ? "all left as they came" : `${edited} left lighter, about ${savedTokens} tokens less in all`;
  return [
    `${requests} requests, ${saved}`,
    ...(retries > 0 ? [`${retries} sent again lighter because they did not fit`] : []),
    ...(incidents > 0 ? [`${incidents} incidents, in which requests went on without Plimsoll`] : []),
  ].join("; ");
}
