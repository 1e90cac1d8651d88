import { findContinuation, type Happened } from "../../../src/survive/record/continuation.ts";

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

export function sayState(happened: Happened): Said {
  const { state } = happened;
  const { next, open } = findContinuation(happened);
  const { kind, action } = next;
  return {
    next: kind === "unknown" ? "" : action,
    kind,
    open: open.map(({ status, subject }) => `[${status}] ${subject}`),
    decisions: state.decided.decisions.map(({ by, text }) => `${by}: ${text}`),
    failed: state.decided.failedApproaches.map(({ line }) => line),
    phase: state.phase.phase,
    files: state.files.filter(({ edits, isCreated }) => edits > 0 || isCreated).map(({ path }) => path),
  };
}
