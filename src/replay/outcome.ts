import { type Bins, countByRatio } from "./bins.ts";
import type { Whereabouts } from "./holding.ts";
import type { Need } from "./needs.ts";

/** What was needed, by where it was. */
export interface NeedTally {
  retained: number;
  recoverable: number;
  lost: number;
}

/** Counts and sums of a walk, before its first request. */
const NOTHING_YET = {
  steps: 0,
  /** All requests with their answers; model-written compactions included. */
  sendUsd: 0,
  readUsd: 0,
  writeUsd: 0,
  outputUsd: 0,
  askedUsd: 0,
  recoveryUsd: 0,
  rereadUsd: 0,
  fetches: 0,
  /** The session's own, those that wrote summaries, and those that fetched or read again; their tokens by kind. */
  requests: 0,
  readTokens: 0,
  writtenTokens: 0,
  outputTokens: 0,
  /** Of the session's own requests. */
  tokensSent: 0,
  /** Of these, what a ledger of ours weighed. */
  ledgerTokens: 0,
  peakTokens: 0,
  prefixBusts: 0,
  compactions: 0,
  blockedMs: 0,
  /** Times that nothing was sent for longer than the short life of the cache. */
  pauses: 0,
  /** Times that old exchanges went without a model, and how many of them at a boundary of the work. */
  collapses: 0,
  collapsesAtBoundary: 0,
  fatal: 0,
};

type Counts = typeof NOTHING_YET;

/** What one session would have been under one policy. Grows while it is walked through. */
export interface ReplayOutcome extends Counts {
  readonly session: string;
  readonly hot: NeedTally;
  readonly cold: NeedTally;
  readonly editLines: NeedTally;
  /** How often something was left in the view although it could have gone, by the reason. */
  readonly left: Record<string, number>;
  readonly planMs: number[];
  /** Of what was needed while its recorded text was out of the view: how much stood in what took its place. */
  readonly retold: { held: number; missing: number };
  /** A summary stands in the view that nobody recorded: its need is not told. */
  isWordless: boolean;
  /** From that summary on, if it held nothing: what was needed, and the price of fetching and reading again. */
  readonly unheard: Unheard;
}

export interface Unheard {
  readonly hot: NeedTally;
  readonly cold: NeedTally;
  fatal: number;
  usd: number;
}

export function emptyOutcome(session: string): ReplayOutcome {
  const tally = (): NeedTally => ({ retained: 0, recoverable: 0, lost: 0 });
  return {
    session,
    ...NOTHING_YET,
    hot: tally(),
    cold: tally(),
    editLines: tally(),
    left: {},
    planMs: [],
    retold: { held: 0, missing: 0 },
    isWordless: false,
    unheard: { hot: tally(), cold: tally(), fatal: 0, usd: 0 },
  };
}

export function addNeed(outcome: ReplayOutcome, need: Need, found: Whereabouts): void {
  const into = outcome.isWordless ? outcome.unheard : outcome;
  (need.isHot ? into.hot : into.cold)[found.kind]++;
  if (found.kind === "lost" && found.isFatal) into.fatal++;
  if (outcome.isWordless) return;
  if (need.isEditLine) outcome.editLines[found.kind]++;
  if (found.kind !== "retained") outcome.retold.missing++;
  else if (found.isRetold) outcome.retold.held++;
}

/** One session under one policy as it is kept and added up: an outcome whose planning times are counted, not listed. */
export interface Walk extends Readonly<Omit<ReplayOutcome, "planMs" | "session">> {
  readonly planBins: Bins;
}

export function toWalk(outcome: ReplayOutcome): Walk {
  const { planMs, session: _, ...rest } = outcome;
  return { ...rest, planBins: countByRatio(planMs) };
}
