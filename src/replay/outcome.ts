import { type Bins, countByRatio } from "./bins.ts";
import type { Whereabouts } from "./holding.ts";
import type { Need } from "./needs.ts";

export type NeedTally = Record<"retained" | "recoverable" | "lost", number>;

/** Counted during a walk, from zero. */
export const NOTHING_YET = {
  steps: 0,
  /** All requests with their answers, including compactions written by a model. */
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
  /** Of these, the size of our ledger. */
  ledgerTokens: 0,
  peakTokens: 0,
  prefixBusts: 0,
  compactions: 0,
  blockedMs: 0,
  /** Breaks longer than the short lifetime of the cache. */
  pauses: 0,
  /** How often old exchanges were removed without a model, and how many of these removals were at a boundary of the work. */
  collapses: 0,
  collapsesAtBoundary: 0,
  fatal: 0,
};

export type Counts = typeof NOTHING_YET;

/** The result of one session under one policy. Grows during the walk. */
export interface ReplayOutcome extends Counts {
  readonly session: string;
  readonly hot: NeedTally;
  readonly cold: NeedTally;
  readonly editLines: NeedTally;
  /** How often something removable was left in the view, by reason. */
  readonly left: Record<string, number>;
  readonly planMs: number[];
  /** For needs whose recorded text was out of the view: how many the replacement text held. */
  readonly retold: { held: number; missing: number };
  /** The view holds an unrecorded summary, so needs are unknown. */
  isWordless: boolean;
  /** From that summary on, assuming it held nothing: what was needed, and the price of fetching and reading again. */
  readonly unheard: { readonly hot: NeedTally; readonly cold: NeedTally; fatal: number; usd: number };
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
  else if (found.isRestated) outcome.retold.held++;
}

/** One session under one policy as it is stored and added up: an outcome with its planning times counted, not listed. */
export interface Walk extends Readonly<Omit<ReplayOutcome, "planMs" | "session">> {
  readonly planBins: Bins;
}

export function toWalk(outcome: ReplayOutcome): Walk {
  const { planMs, session: _, ...rest } = outcome;
  return { ...rest, planBins: countByRatio(planMs) };
}

export interface WalkedSession {
  readonly name: string;
  /** Sessions of one repository are alike, so it is the unit of uncertainty. */
  readonly repository: string;
  /** Display name of the client that recorded it. */
  readonly client: string;
  readonly recordedUsd: number;
  /** What the summaries that the client itself wrote lost; absent if it wrote none. */
  readonly loss?: SummaryLoss | undefined;
  readonly windowTokens: number;
  readonly steps: number;
  readonly walks: ReadonlyMap<string, Walk>;
}

/** Of the facts that a receipt looks for in each summary of the client, how many it did not hold. */
export type SummaryLoss = Readonly<Record<"summaries" | "facts" | "lost", number>>;
