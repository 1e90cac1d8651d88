import type { WorkStatus } from "../../session/action.ts";

/** Something that a compaction must not lose, and how to recognise it in a text. Plain data. */
export type Fact = {
  /** 1 is what the session cannot continue without; see `IMPORTANCE`. */
  readonly importance: number;
  /** The line that states it, which a repair puts back. */
  readonly text: string;
  readonly request: number;
} & (
  | {
      readonly kind: "continuation";
      /** Its subject: the task, the request or the question; empty if there is only a command. */
      readonly subject: string;
      readonly command: string;
      readonly path: string;
      readonly symbol: string;
    }
  | {
      readonly kind: "request";
      readonly words: string;
      /** The same without binding sentences, which are facts of their own. */
      readonly sentence: string;
    }
  | { readonly kind: "task"; readonly subject: string; readonly status: WorkStatus }
  | { readonly kind: "constraint"; readonly sentence: string }
  | {
      readonly kind: "file";
      readonly path: string;
      /** Whether no other file of the session has its base name. */
      readonly isUnique: boolean;
      readonly isChanged: boolean;
    }
  | { readonly kind: "error"; readonly attempt: string; readonly line: string }
  /** A name or number that cannot be guessed. */
  | { readonly kind: "identifier"; readonly term: string }
  | { readonly kind: "decision"; readonly sentence: string }
);

export type FactKind = Fact["kind"];
export type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>;

/** The order in which a repair puts things back. */
export const IMPORTANCE = {
  continuation: 1,
  request: 1,
  openWork: 2,
  constraint: 3,
  changedFile: 4,
  error: 5,
  identifier: 6,
  decision: 7,
  doneWork: 9,
  readFile: 10,
} as const;

export interface Judgement {
  readonly verdict: "held" | "paraphrased" | "lost";
  readonly mark?: LossMark;
}

/** Finished work described as open or the reverse; a "not" that was dropped or added. */
export type LossMark = "wrong status" | "wrong polarity";

export const HELD: Judgement = { verdict: "held" };
export const PARAPHRASED: Judgement = { verdict: "paraphrased" };
export const LOST: Judgement = { verdict: "lost" };
