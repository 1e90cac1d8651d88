/** A policy as a point: what it costs next to `native`, and what share of the need it leaves behind. Less is better in both. */
export interface FrontierPoint {
  readonly name: string;
  readonly relativeUsd: number;
  readonly needShare: number;
}

/** The points that none other beats in both, from the least need left behind to the cheapest. */
export function findFrontier<P extends FrontierPoint>(points: readonly P[]): readonly P[] {
  const sorted = [...points].sort(
    (left, right) => left.needShare - right.needShare || left.relativeUsd - right.relativeUsd,
  );
  let cheapest = Number.POSITIVE_INFINITY;
  return sorted.filter(({ relativeUsd }) => {
    if (relativeUsd >= cheapest) return false;
    cheapest = relativeUsd;
    return true;
  });
}
