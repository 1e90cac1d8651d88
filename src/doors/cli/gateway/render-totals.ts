import { renderCount } from "../../../core/render-count.ts";
import type { Totals } from "../../gateway/metrics.ts";

/** What a gateway did, in one line. */
export function renderTotals(totals: Totals): string {
  const { requests, edited, dropped, savedTokens, incidents, retries, recalls, failed } = totals;
  const saved =
    edited === 0
      ? requests === 1
        ? "left as it came"
        : "all left as they came"
      : `${edited} left lighter, about ${renderCount(savedTokens, "token")} less in all`;
  return [
    `${renderCount(requests, "request")}, ${saved}`,
    ...(dropped > 0
      ? [
          `${dropped === 1 ? "once" : `${dropped} times`} an earlier decision was not repeated, because what it replaced had changed`,
        ]
      : []),
    ...(recalls > 0 ? [`${renderCount(recalls, "time")} something was fetched back`] : []),
    ...(retries > 0 ? [`${retries} sent again lighter because ${retries === 1 ? "it" : "they"} did not fit`] : []),
    ...(failed > 0
      ? [`the upstream could not be reached, or broke off, ${failed === 1 ? "once" : `${failed} times`}`]
      : []),
    ...(incidents > 0 ? [`${renderCount(incidents, "incident")}, in which requests went on without Plimsoll`] : []),
  ].join("; ");
}
