import type { Whereabouts } from "./holding.ts";
import type { Need } from "./needs.ts";

export interface NeedTally {
  retained: number;
  recoverable: number;
  lost: number;
}

/** What one session would have been under one policy. Grows while it is walked through. */
export interface Outcome {
  readonly session: string;
  steps: number;
  /** All requests with their answers; model-written compactions included. */
  sendUsd: number;
  readUsd: number;
  writeUsd: number;
  outputUsd: number;
  askedUsd: number;
  recoveryUsd: number;
  rereadUsd: number;
  fetches: number;
  tokensSent: number;
  peakTokens: number;
  prefixBusts: number;
  compactions: number;
  blockedMs: number;
  /** Times that old exchanges went without a model, and how many of them at a boundary of the work. */
  collapses: number;
  collapsesAtBoundary: number;
  readonly hot: NeedTally;
  readonly cold: NeedTally;
  readonly editLines: NeedTally;
  fatal: number;
  readonly planMs: number[];
  /** A summary stands in the view that nobody recorded: its need is not told. */
  isWordless: boolean;
}

export function emptyOutcome(session: string): Outcome {
  const tally = (): NeedTally => ({ retained: 0, recoverable: 0, lost: 0 });
  return {
    session,
    steps: 0,
    sendUsd: 0,
    readUsd: 0,
    writeUsd: 0,
    outputUsd: 0,
    askedUsd: 0,
    recoveryUsd: 0,
    rereadUsd: 0,
    fetches: 0,
    tokensSent: 0,
    peakTokens: 0,
    prefixBusts: 0,
    compactions: 0,
    blockedMs: 0,
    collapses: 0,
    collapsesAtBoundary: 0,
    hot: tally(),
    cold: tally(),
    editLines: tally(),
    fatal: 0,
    planMs: [],
    isWordless: false,
  };
}

export function addNeed(outcome: Outcome, need: Need, found: Whereabouts): void {
  (need.isHot ? outcome.hot : outcome.cold)[found.kind]++;
  if (need.isEditLine) outcome.editLines[found.kind]++;
  if (found.kind === "lost" && found.isFatal) outcome.fatal++;
}
