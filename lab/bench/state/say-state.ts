import { listWork } from "../../../src/session/open-work.ts";
import { findContinuation, type Happened, settleCalls } from "../../../src/survive/record/continuation.ts";

/** What the program says of a session at a cut. */
export interface Said {
  /** Empty where it is silent. */
  readonly next: string;
  readonly kind: string;
  readonly open: readonly string[];
  readonly decisions: readonly string[];
  readonly failed: readonly string[];
  readonly phase: string;
  readonly files: readonly string[];
}

export function sayState(followed: Happened): Said {
  const happened = settleCalls(followed);
  const { state } = happened;
  const { kind, action } = findContinuation(happened);
  return {
    next: kind === "unknown" ? "" : action,
    kind,
    open: listWork(state)
      .filter(({ status }) => status === "open" || status === "active")
      .map(({ status, subject }) => `[${status}] ${subject}`),
    decisions: state.decided.decisions.map(({ by, text }) => `${by}: ${text}`),
    failed: state.decided.failedApproaches.map(({ line }) => line),
    phase: state.phase.phase,
    files: state.files.filter(({ edits, isCreated }) => edits > 0 || isCreated).map(({ path }) => path),
  };
}
