import type { ActionDetail } from "./actions/own-action.ts";
import type { PolicyState } from "./policy-state.ts";

/** What an entry point must do, in this order. A command can fail; the result comes back as a step of its own. */
export type PolicyCommand =
  /** Put one text into the model's window. */
  | { readonly kind: "tell"; readonly text: string }
  /** Show on the user's screen. */
  | { readonly kind: "warn"; readonly text: string }
  | { readonly kind: "refuse"; readonly why: string }
  /** Save the session's state in the project. Report the outcome through `saved`. */
  | { readonly kind: "save" }
  /** Add decisions to the project's long-term memory, if it has one. Report the outcome through `remembered`. */
  | { readonly kind: "remember"; readonly lessons: readonly string[] }
  /** Compact before the next request, if the entry point can. */
  | { readonly kind: "compact"; readonly why: string }
  /** Write down in the project, for the next session, how far the work is; an empty text clears it. Report the outcome through `pauseLeft`. */
  | { readonly kind: "continueHere"; readonly text: string; readonly reason: string }
  | { readonly kind: "note"; readonly action: ActionDetail };

export interface PolicyStep {
  readonly state: PolicyState;
  readonly commands: readonly PolicyCommand[];
}

export function stay(state: PolicyState): PolicyStep {
  return { state, commands: [] };
}

/** Runs two steps in a row and joins their commands. */
export function chain(first: PolicyStep, next: (state: PolicyState) => PolicyStep): PolicyStep {
  const { state, commands } = next(first.state);
  return { state, commands: [...first.commands, ...commands] };
}
