import { renderCount } from "../../../core/render-count.ts";

/** Marks a figure of a table as a lower bound; sentences say "at least". */
export function markAtLeast(isAtLeast: boolean, figure: string): string {
  return isAtLeast ? `\u2265${figure}` : figure;
}

/** Why a sum is a lower bound; nothing where none is. */
export function noteAtLeast(unfinalRequests: number, unpricedRequests: number): readonly string[] {
  return [
    ...(unpricedRequests > 0
      ? [`at least: ${renderCount(unpricedRequests, "request")} used a model without a known price.`]
      : []),
    ...(unfinalRequests > 0
      ? [
          `at least: older clients logged the output of ${renderCount(unfinalRequests, "request")} too early, so its cost is a lower bound.`,
        ]
      : []),
  ];
}

/** The same below a table, as the footnote to its mark. */
export function footnoteAtLeast(unfinalRequests: number, unpricedRequests: number): readonly string[] {
  return noteAtLeast(unfinalRequests, unpricedRequests).map((note) => markAtLeast(true, ` ${note}`));
}
