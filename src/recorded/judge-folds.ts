import type { Recording } from "../measure/recording.ts";
import { explain } from "../models/economics/explain.ts";
import { priceEdits } from "../models/economics/price-edit.ts";
import type { OwnAction } from "../policy/actions/own-action.ts";

export type FoldedAction = Extract<OwnAction, { kind: "folded" }>;

/** The folds of this conversation, each with the request that first contained its result. */
export function listFolds(
  { steps }: Recording,
  actions: readonly OwnAction[],
): readonly { readonly request: number; readonly action: FoldedAction }[] {
  const requestOfCall = new Map<string, number>();
  for (const [index, { arrivals }] of steps.entries())
    for (const { block } of arrivals) if (block.kind === "toolResult") requestOfCall.set(block.callId, index + 1);
  return actions.flatMap((action) => {
    const request = action.kind === "folded" && requestOfCall.get(action.callId);
    return request ? [{ request, action }] : [];
  });
}

export interface PricedFold {
  /** Why it was made, what it saves and what it costs, in sentences. */
  readonly why: string;
  /** `undefined` if it never pays off. */
  readonly breakEvenRequests: number | undefined;
  /** Later requests in its window, and what it saved in them so far. */
  readonly requests: number;
  readonly savedUsd: number | undefined;
}

/** A fold of new output, from the request that first contained it; a number beyond the last request if none did yet. */
export function priceFold({ savedTokens }: FoldedAction, { steps }: Recording, request: number): PricedFold {
  const step = steps[request - 1];
  const requests = steps.filter((later, index) => index >= request - 1 && later.window === step?.window).length;
  const warmTokens = steps[request - 2]?.contextTokens ?? 0;
  const price = priceEdits([{ positionTokens: warmTokens, savedTokens, content: "result" }], {
    model: (step ?? steps.at(-1))?.model ?? "",
    contextTokens: step?.contextTokens ?? 0,
    prefix: { warmTokens, baseTokens: 0, reachFromTokens: 0, minimumTokens: 0 },
    share1h: (step?.usage?.cacheWrite1hTokens ?? 0) > 0 ? 1 : 0,
    speed: step?.usage?.speed,
    expectedRequests: requests,
  });
  return {
    why: explain({ isMade: true, why: "atBirth", expectedRequests: requests, price }),
    breakEvenRequests: Number.isFinite(price.breakEvenRequests) ? Math.ceil(price.breakEvenRequests) : undefined,
    requests,
    // The price counts at least one request.
    savedUsd: requests === 0 ? 0 : price.expectedNetUsd,
  };
}
