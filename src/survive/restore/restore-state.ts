import type { Fact } from "../receipt/fact.ts";
import type { RepairedFact } from "../receipt/plan-repair.ts";

/**
 * One session's restores, from compaction to compaction. Plain data: saved as JSON between two events, and the same whether
 * command hooks or an in-process module follow them.
 */
export interface RestoreState {
  /** The number of the compaction that the rest is about, from 1; 0 before the first. */
  readonly compaction: number;
  readonly stage: RestoreStage;
  readonly trigger: string;
  /** The request and the time at which it was asked for: what is put back is dated by them. */
  readonly request: number;
  readonly askedAtMs: number;
  /** What there was before it; emptied as soon as nobody can ask for it again. */
  readonly facts: readonly Fact[];
  /** Text that the client keeps word for word beside the summary. */
  readonly kept: string;
  /** Hash of the summary that the rest was judged by; empty until one is known. */
  readonly summary: string;
  /** It is in a form that only its maker reads: nobody can say what it lost, so that all is told again that does not stand beside it. */
  readonly isSealed?: boolean;
  readonly held: number;
  readonly paraphrased: number;
  /** What the summary lost, the most important first. */
  readonly lost: readonly LostItem[];
  /** What was handed to the client and has not been looked for yet. */
  readonly given: Attempt | undefined;
  /** How often something was handed over. */
  readonly tries: number;
}

/**
 * `idle`: no compaction. `asked`: about to happen. `told`: its summary is known, its end is not. `done`: it happened, and what
 * it lost is to be put back. `settled`: nothing more will be tried.
 */
export type RestoreStage = "idle" | "asked" | "told" | "done" | "settled";

export interface LostItem extends Omit<RepairedFact, "fact"> {
  /** `undefined` for what is only named, such as an instruction file that the window no longer holds. */
  readonly fact: Fact | undefined;
  /** `left out`: there was no room for it. `missing`: given up. */
  readonly fate: "wanted" | "landed" | "left out" | "missing";
}

export interface Attempt {
  /** The client's event. */
  readonly event: string;
  readonly atMs: number;
  readonly lines: readonly string[];
}

/** Below three the order of fall-backs would not be gone through; above it a client that does not listen is only annoyed. */
export const MAX_TRIES = 3;

export const initialRestoreState: RestoreState = {
  compaction: 0,
  stage: "idle",
  trigger: "",
  request: 0,
  askedAtMs: 0,
  facts: [],
  kept: "",
  summary: "",
  held: 0,
  paraphrased: 0,
  lost: [],
  given: undefined,
  tries: 0,
};

/** What the doors see of a compaction. */
export type RestoreEvent =
  /** It is about to happen. Clients say so up to four times for one. */
  | {
      readonly kind: "asked";
      readonly trigger: string;
      readonly request: number;
      readonly atMs: number;
      readonly facts: readonly Fact[];
      readonly kept: string;
    }
  /** The summary in its writer's words. `isOver`: the compaction is done with it; before, another may replace it. */
  | {
      readonly kind: "summarised";
      readonly summary: string;
      /** It cannot be read: what is told is what stands beside it. */
      readonly isSealed?: boolean | undefined;
      readonly isOver: boolean;
      readonly atMs: number;
      readonly request: number;
      /** Taken where nobody was asked before: what is known of the session now. */
      readonly facts: readonly Fact[];
    }
  /** Lines for what else is no longer in the window, once that can be seen. */
  | { readonly kind: "missed"; readonly lines: readonly string[] }
  /** An event at which the client takes context. */
  | { readonly kind: "offered"; readonly event: string; readonly atMs: number; readonly maxCharacters: number }
  /** What the client has recorded as sent since. `isOver`: a later answer proves that the rest will not come. */
  | { readonly kind: "looked"; readonly text: string; readonly isOver: boolean };

/** What is known of a compaction's losses, to be written down whenever it changes. */
export interface RestoreReceipt {
  /** Its number in the session, from 1. */
  readonly compaction: number;
  readonly held: number;
  readonly paraphrased: number;
  /** Each lost fact as one line, and whether the repair had room for it. */
  readonly lost: readonly { readonly line: string; readonly isInjected: boolean }[];
  readonly landing: "landed" | "missing" | "unknown";
}

export interface RestoreStep {
  readonly state: RestoreState;
  /** For the model, at the event that was offered; empty for nothing. */
  readonly injection: string;
  readonly receipt: RestoreReceipt | undefined;
}
