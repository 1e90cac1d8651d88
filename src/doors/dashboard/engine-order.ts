import type { Question } from "./question.ts";
import type { ShownProgress } from "./wire.ts";

/** What the server tells the thread that reads, and what it hears. */
export type EngineOrder =
  | { readonly kind: "ask"; readonly id: number; readonly question: Question }
  | { readonly kind: "watch"; readonly isWatched: boolean }
  | { readonly kind: "close" };

export type EngineReport =
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly text: string | undefined;
      readonly why: string | undefined;
    }
  /** `now` is a message for the page, ready to be sent on. */
  | {
      readonly kind: "advance";
      readonly isChanged: boolean;
      readonly progress: ShownProgress;
      readonly now: string | undefined;
    }
  | { readonly kind: "look"; readonly path: string };
