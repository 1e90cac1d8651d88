import { renderCount } from "../../core/render-count.ts";

/** Marks a figure as a lower bound where the output of some requests was not written down to its end. */
export function markAtLeast(unfinalRequests: number, figure: string): string {
  return unfinalRequests > 0 ? `\u2265${figure}` : figure;
}

/** The footnote to the mark; none where nothing is marked. */
export function noteAtLeast(unfinalRequests: number): readonly string[] {
  if (unfinalRequests === 0) return [];
  const requests = renderCount(unfinalRequests, "request");
  return [
    `\u2265 at least: of ${requests} an older client recorded the output as it stood while it was being written.`,
  ];
}
