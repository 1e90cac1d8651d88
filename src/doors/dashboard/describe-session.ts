import { sumContextTokens } from "../../core/usage.ts";
import { sumMissedUsd, type WatchedMiss } from "../../measure/cache-miss.ts";
import type { Recording, Step } from "../../measure/recording.ts";
import { billRequests, isLowerBound } from "../../models/economics/bill.ts";
import { explain } from "../../models/economics/explain.ts";
import { priceEdits } from "../../models/economics/price-edit.ts";
import { priceUsage } from "../../models/economics/spend.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import { capitalise, labelCause } from "../person/labels.ts";
import { describeHead, type Watched } from "./describe-head.ts";
import { describeSeries, mapResults } from "./describe-series.ts";
import type { Fold, SessionDetail, SessionRequest } from "./wire.ts";

/** Every request of one session, with what it cost and what was done to it. */
export function describeSession(watched: Watched, place: SessionPlace): SessionDetail {
  const session = watched.followed.read();
  const { recording, tally, transcript } = session;
  const { misses, steps } = session.accounts;
  const bill = billRequests(steps);
  const inConversation = new Set(recording.steps.map(({ id }) => id));
  const requests = listRequests(recording, watched.deeds, misses);
  const folds = requests.flatMap((request) => request.folds);
  const sum = (values: readonly (number | null | undefined)[]): number =>
    values.reduce((total: number, value) => total + (value ?? 0), 0);
  return {
    ...describeHead(watched, session),
    directory: transcript.cwd,
    client: transcript.version,
    lines: { lines: tally.lines, malformed: tally.malformed, unknown: tally.unknown },
    totals: {
      usd: bill.spend.totalUsd,
      isAtLeast: isLowerBound(bill),
      asideRequests: steps.filter(({ stepId }) => !inConversation.has(stepId)).length,
      cacheHit: shareRead(recording.steps),
      outputTokens: sum(requests.map(({ outputTokens }) => outputTokens)),
      missed: sumMissedUsd(misses),
      foldedTokens: sum(folds.map(({ savedTokens }) => savedTokens)),
      folded: {
        usd: sum(folds.map(({ savedUsd }) => savedUsd)),
        isAtLeast: folds.some(({ savedUsd }) => savedUsd === null),
      },
    },
    compactionPointTokens: assessSession(session, place).compactionPointTokens,
    series: describeSeries(session, attributeSession(session), watched.deeds),
    requests,
  };
}

function listRequests(
  recording: Recording,
  deeds: readonly Deed[],
  misses: readonly WatchedMiss[],
): readonly SessionRequest[] {
  const missOf = new Map(misses.map((miss) => [miss.stepId, miss]));
  const folds = groupFolds(recording, deeds);
  return recording.steps.map((step, index): SessionRequest => {
    const miss = missOf.get(step.id);
    const opening = recording.windows.find(({ firstStep, compaction }) => compaction && firstStep === index);
    return {
      number: index + 1,
      atMs: step.atMs ?? null,
      model: step.model,
      contextTokens: step.contextTokens,
      outputTokens: step.usage?.outputTokens ?? 0,
      usd: (step.usage && priceUsage(step.usage, step.model)?.totalUsd) ?? null,
      isAtLeast: !step.isOutputFinal,
      cacheHit: shareRead([step]),
      calls: step.outputs.flatMap((block) => (block.kind === "toolCall" ? [block.tool] : [])),
      folds: folds.get(index + 1) ?? [],
      miss: miss
        ? { cause: capitalise(labelCause(miss.cause)), tokens: miss.missedTokens, extraUsd: miss.extraUsd ?? null }
        : null,
      clears: recording.microcompactions.filter(({ beforeStep }) => beforeStep === index).length,
      compaction: opening?.compaction?.trigger ?? null,
    };
  });
}

function groupFolds(recording: Recording, deeds: readonly Deed[]): ReadonlyMap<number, readonly Fold[]> {
  const requestOfCall = mapResults(recording);
  const folds = new Map<number, Fold[]>();
  for (const deed of deeds) {
    const request = deed.kind === "folded" ? requestOfCall.get(deed.callId) : undefined;
    if (request === undefined || deed.kind !== "folded") continue;
    folds.set(request, [...(folds.get(request) ?? []), priceFold(deed, recording, request)]);
  }
  return folds;
}

/** What came out of the prompt cache, as a share of all that was sent. */
function shareRead(steps: readonly Step[]): number | null {
  let sent = 0;
  let read = 0;
  for (const { usage } of steps) {
    if (!usage) continue;
    sent += sumContextTokens(usage);
    read += usage.cacheReadTokens;
  }
  return sent === 0 ? null : read / sent;
}

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
    speed: step?.usage?.speed,
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
