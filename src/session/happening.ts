import type { Action, Outcome } from "./action.ts";

/** The session's events once the tools are understood: what the trackers follow. `request` is the number of the request, from 1. */
export type Happening =
  | { readonly kind: "request"; readonly request: number; readonly atMs: number | undefined }
  | { readonly kind: "act"; readonly request: number; readonly callId: string; readonly action: Action }
  | {
      readonly kind: "outcome";
      readonly request: number;
      readonly callId: string;
      readonly action: Action;
      readonly outcome: Outcome;
    }
  | {
      readonly kind: "said";
      readonly request: number;
      readonly text: string;
      /** Whether the model had finished with it, where the host tells. */
      readonly isTurnEnd?: boolean | undefined;
    }
  | {
      readonly kind: "asked";
      readonly request: number;
      readonly text: string;
      readonly atMs: number | undefined;
      /** The question of the model that this replies to; absent or empty where it asked nothing. */
      readonly answers?: string | undefined;
    }
  /** Something that went on in the background came to its end. */
  | { readonly kind: "finished"; readonly request: number; readonly id: string }
  | { readonly kind: "interrupted"; readonly request: number }
  | { readonly kind: "compacted"; readonly request: number };

/** One aspect of a session, followed happening by happening. Its state is plain data and all there is to it. */
export interface Tracker<State> {
  follow(happening: Happening): void;
  state(): State;
}
