import type { Action, Outcome } from "./action.ts";

/** The session's events with tools interpreted, as the trackers follow them. `request` counts from 1. */
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
  /** `isTurnEnd`: whether the model had finished with it, if the host says. */
  | { readonly kind: "said"; readonly request: number; readonly text: string; readonly isTurnEnd?: boolean | undefined }
  | {
      readonly kind: "asked";
      readonly request: number;
      readonly text: string;
      readonly atMs: number | undefined;
      /** The model's question that this replies to; absent or empty if it asked nothing. */
      readonly answers?: string | undefined;
    }
  /** Something in the background has ended. */
  | { readonly kind: "finished"; readonly request: number; readonly id: string }
  /** The host began another turn by itself: a hook did not let the last one end, or what ran in the background has ended. */
  | { readonly kind: "reopened"; readonly request: number; readonly text: string }
  | { readonly kind: "interrupted"; readonly request: number }
  | { readonly kind: "compacted"; readonly request: number };

export type HappeningOf<Kind extends Happening["kind"]> = Extract<Happening, { kind: Kind }>;

/** One aspect of a session, followed event by event. Its state is plain data and complete. */
export interface Tracker<State> {
  follow(happening: Happening): void;
  state(): State;
}
