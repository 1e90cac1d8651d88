import type { WorkStatus } from "../../session/action.ts";

/** Something that a compaction must not lose, and how to recognise it in a text. Plain data. */
export type Fact =
  | ContinuationFact
  | RequestFact
  | TaskFact
  | ConstraintFact
  | FileFact
  | ErrorFact
  | IdentifierFact
  | DecisionFact
  | FailureFact;

export type FactKind = Fact["kind"];

interface Stated {
  /** 1 is what the session cannot continue without; see `IMPORTANCE`. */
  readonly importance: number;
  /** The line that states it, which a repair puts back. */
  readonly text: string;
  readonly request: number;
}

export interface ContinuationFact extends Stated {
  readonly kind: "continuation";
  /** Its subject: the task, the request or the question; empty if there is only a command. */
  readonly subject: string;
  readonly command: string;
  readonly path: string;
  readonly symbol: string;
}

export interface RequestFact extends Stated {
  readonly kind: "request";
  readonly words: string;
  /** The same without binding sentences, which are facts of their own. */
  readonly sentence: string;
}

export interface TaskFact extends Stated {
  readonly kind: "task";
  readonly subject: string;
  readonly status: WorkStatus;
}

export interface ConstraintFact extends Stated {
  readonly kind: "constraint";
  readonly sentence: string;
}

export interface FileFact extends Stated {
  readonly kind: "file";
  readonly path: string;
  /** Whether no other file of the session has its base name. */
  readonly isUnique: boolean;
  readonly isChanged: boolean;
}

export interface ErrorFact extends Stated {
  readonly kind: "error";
  readonly attempt: string;
  readonly line: string;
}

/** A name or number that cannot be guessed. */
export interface IdentifierFact extends Stated {
  readonly kind: "identifier";
  readonly term: string;
}

export interface DecisionFact extends Stated {
  readonly kind: "decision";
  readonly sentence: string;
}

export interface FailureFact extends Stated {
  readonly kind: "failure";
  readonly line: string;
}

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
  failure: 8,
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
