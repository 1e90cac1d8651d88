import type { Action, Outcome } from "./action.ts";

/** The session's events once the tools are understood: what the trackers follow. `turn` counts requests, from 1. */
export type Happening =
  | { readonly kind: "turn"; readonly turn: number; readonly atMs: number | undefined }
  | { readonly kind: "act"; readonly turn: number; readonly callId: string; readonly action: Action }
  | {
      readonly kind: "outcome";
      readonly turn: number;
      readonly callId: string;
      readonly action: Action;
      readonly outcome: Outcome;
    }
  | { readonly kind: "said"; readonly turn: number; readonly text: string }
  | { readonly kind: "asked"; readonly turn: number; readonly text: string; readonly atMs: number | undefined }
  | { readonly kind: "interrupted"; readonly turn: number }
  | { readonly kind: "compacted"; readonly turn: number };

/** One aspect of a session, followed happening by happening. Its state is plain data and all there is to it. */
export interface Tracker<State> {
  follow(happening: Happening): void;
  state(): State;
}
