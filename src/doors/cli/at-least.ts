import { renderCount } from "../../core/render-count.ts";

/** Marks a figure as a lower bound where some requests are not in it, or not to their end. */
export function markAtLeast(missingRequests: number, figure: string): string {
  return missingRequests > 0 ? `\u2265${figure}` : figure;
}

/** The footnote to the mark; none where nothing is marked. */
export function noteAtLeast(unfinalRequests: number, unpricedRequests = 0): readonly string[] {
  const unpriced =
    unpricedRequests === 0
      ? []
      : [`\u2265 at least: ${renderCount(unpricedRequests, "request")} of models without a known price.`];
  if (unfinalRequests === 0) return unpriced;
  const requests = renderCount(unfinalRequests, "request");
  return [
    ...unpriced,
    `\u2265 at least: of ${requests} an older client recorded the output as it stood while it was being written.`,
  ];
}
