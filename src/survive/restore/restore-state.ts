import type { Fact } from "../receipt/fact.ts";
import type { RepairedFact } from "../receipt/plan-repair.ts";

/** One session's restores, from compaction to compaction. Plain data, saved as JSON, and the same for command hooks and the in-process module. */
export interface RestoreState {
  /** The number of the compaction that the other fields are about, from 1; 0 before the first. */
  readonly compaction: number;
  /**
   * `idle`: no compaction. `asked`: about to happen. `told`: its summary is known, but it is not over. `done`: it happened, and what it
   * lost is to be put back. `settled`: nothing more will be tried.
   */
  readonly stage: "idle" | "asked" | "told" | "done" | "settled";
  readonly trigger: string;
  /** The request and time at which it was announced. What is put back is dated by them. */
  readonly request: number;
  readonly askedAtMs: number;
  /** The facts before it; emptied as soon as they cannot be needed again. */
  readonly facts: readonly Fact[];
  /** Text that the client keeps word for word in addition to the summary. */
  readonly kept: string;
  /** Hash of the summary that was judged; empty until one is known. */
  readonly summary: string;
  /** The summary is in a form that only its maker can read. What it lost is unknown, so everything that was not kept is said again. */
  readonly isSealed?: boolean;
  readonly held: number;
  readonly paraphrased: number;
  /** What the summary lost, the most important first. */
  readonly lost: readonly LostItem[];
  /** What was handed to the client and not yet checked. */
  readonly given: { readonly event: string; readonly atMs: number; readonly lines: readonly string[] } | undefined;
  readonly tries: number;
}

export interface LostItem extends Omit<RepairedFact, "fact"> {
  /** `undefined` for something that is only named, such as an instruction file that the window no longer holds. */
  readonly fact: Fact | undefined;
  /** `left out`: there was no room for it. `missing`: given up. */
  readonly fate: "wanted" | "landed" | "left out" | "missing";
}

/** With fewer tries some fall-backs would never be used; more would only annoy a client that does not listen. */
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

export type RestoreEvent =
  /** It is about to happen. Clients say so up to four times for one compaction. */
  | {
      readonly kind: "asked";
      readonly trigger: string;
      readonly request: number;
      readonly atMs: number;
      readonly facts: readonly Fact[];
      readonly kept: string;
    }
  /** The summary as written. `isOver`: the compaction is finished; before that, another summary may replace it. */
  | {
      readonly kind: "summarised";
      readonly summary: string;
      /** It cannot be read, so only the kept text counts. */
      readonly isSealed?: boolean | undefined;
      readonly isOver: boolean;
      readonly atMs: number;
      readonly request: number;
      /** Used if the compaction was not announced: what is known about the session now. */
      readonly facts: readonly Fact[];
    }
  /** Lines for what else is no longer in the window, once that can be seen. */
  | { readonly kind: "missed"; readonly lines: readonly string[] }
  | { readonly kind: "offered"; readonly event: string; readonly atMs: number; readonly maxCharacters: number }
  /** What the client has recorded as sent since. `isOver`: a later answer proves that the rest will not come. */
  | { readonly kind: "looked"; readonly text: string; readonly isOver: boolean };

/** What is known about a compaction's losses, to be written whenever it changes. */
export interface RestoreReceipt extends Pick<RestoreState, "compaction" | "held" | "paraphrased"> {
  /** Each lost fact as one line, and whether the repair had room for it. */
  readonly lost: readonly { readonly line: string; readonly isInjected: boolean }[];
  readonly landing: "landed" | "missing" | "unknown";
}

export interface RestoreStep {
  readonly state: RestoreState;
  /** Text for the model at the offered event; empty for none. */
  readonly injection: string;
  readonly receipt: RestoreReceipt | undefined;
}
