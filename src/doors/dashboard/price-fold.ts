import type { Recording } from "../../measure/recording.ts";
import { explain } from "../../models/economics/explain.ts";
import { priceEdits } from "../../models/economics/price-edit.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import type { Fold } from "./wire.ts";

export type FoldedDeed = Extract<Deed, { kind: "folded" }>;

/** A fold at birth with its reason, its price, and what it has come to over the requests that followed in its window. */
export function priceFold(deed: FoldedDeed, recording: Recording, request: number): Fold {
  const { tool, handle, characters, shownCharacters, savedTokens } = deed;
  const step = recording.steps[request - 1];
  const requests = recording.steps.filter(
    (later, index) => index >= request - 1 && later.window === step?.window,
  ).length;
  const warmTokens = recording.steps[request - 2]?.contextTokens ?? 0;
  const price = priceEdits([{ positionTokens: warmTokens, savedTokens, content: "result" }], {
    model: step?.model ?? "",
    contextTokens: step?.contextTokens ?? 0,
    prefix: { warmTokens, baseTokens: 0, reachFromTokens: 0, minimumTokens: 0 },
    share1h: (step?.usage?.cacheWrite1hTokens ?? 0) > 0 ? 1 : 0,
    expectedRequests: requests,
  });
  return {
    tool,
    handle,
    characters,
    shownCharacters,
    savedTokens,
    why: explain({ isMade: true, why: "atBirth", expectedRequests: requests, price }),
    breakEvenRequests: Number.isFinite(price.breakEvenRequests) ? Math.ceil(price.breakEvenRequests) : null,
    requests,
    savedUsd: price.expectedNetUsd ?? null,
  };
}
