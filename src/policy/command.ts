import type { DeedDetail } from "./deeds/deed.ts";
import type { PolicyState } from "./policy-state.ts";

/** What a door is to do, in this order. Performing one can fail; what then follows is a step of its own. */
export type PolicyCommand =
  /** Into the window, as one text. */
  | { readonly kind: "tell"; readonly text: string }
  /** On the person's screen. */
  | { readonly kind: "warn"; readonly text: string }
  /** A call is not made; the model reads why. */
  | { readonly kind: "refuse"; readonly why: string }
  /** What the session has come to, into the project; `saved` is told whether it worked. */
  | { readonly kind: "save" }
  /** Decisions, into the project's long-term memory where it keeps one; `remembered` is told whether it worked. */
  | { readonly kind: "remember"; readonly lessons: readonly string[] }
  /** Before the next request, by whoever can. */
  | { readonly kind: "compact"; readonly why: string }
  /** Where the work stands, into the project for the next session; `pauseLeft` is told whether it worked. Empty where that is past. */
  | { readonly kind: "continueHere"; readonly text: string; readonly reason: string }
  /** Into the journal. */
  | { readonly kind: "note"; readonly deed: DeedDetail };

export interface PolicyStep {
  readonly state: PolicyState;
  readonly commands: readonly PolicyCommand[];
}

export function stay(state: PolicyState): PolicyStep {
  return { state, commands: [] };
}

/** One step after another, as one. */
export function chain(first: PolicyStep, next: (state: PolicyState) => PolicyStep): PolicyStep {
  const { state, commands } = next(first.state);
  return { state, commands: [...first.commands, ...commands] };
}
