import { isFixKnown } from "../../../src/session/track-errors.ts";
import { describeFix } from "../../../src/survive/cold-tasks/plan-cold-tasks.ts";
import { findContinuation, type Happened } from "../../../src/survive/record/continuation.ts";

const MAX_FIXED = 5;

/** What the program says of a session at a cut. */
export interface Said {
  /** Empty where it is silent. */
  readonly next: string;
  readonly kind: string;
  readonly open: readonly string[];
  readonly decisions: readonly string[];
  readonly failed: readonly string[];
  /** Errors that are called fixed, with what fixed them: the newest five. */
  readonly fixed: readonly string[];
  readonly phase: string;
  readonly files: readonly string[];
}

export function sayState(happened: Happened): Said {
  const { state } = happened;
  const { next, open, errors } = findContinuation(happened);
  const { kind, action } = next;
  return {
    next: kind === "unknown" ? "" : action,
    kind,
    open: open.map(({ status, subject }) => `[${status}] ${subject}`),
    decisions: state.decided.decisions.map(({ by, text }) => `${by}: ${text}`),
    failed: state.decided.failedApproaches.map(({ line }) => line),
    fixed: errors
      .filter(isFixKnown)
      .slice(0, MAX_FIXED)
      .map((error) => `${error.attempt} failed; ${describeFix(error)}`),
    phase: state.phase.phase,
    files: state.files.filter(({ edits, isCreated }) => edits > 0 || isCreated).map(({ path }) => path),
  };
}
