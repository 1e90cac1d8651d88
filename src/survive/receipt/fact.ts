import type { WorkStatus } from "../../session/action.ts";

/** Something that a compaction must not lose, with what it is recognised by in a text. Plain data. */
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
  /** 1 is what the session cannot go on without; see `IMPORTANCE`. */
  readonly importance: number;
  /** The one line that states it: what a repair puts back. */
  readonly text: string;
  readonly request: number;
}

/** Where to go on. */
export interface ContinuationFact extends Stated {
  readonly kind: "continuation";
  /** What it is about in words: the task, the request or the question; empty where a command is all there is. */
  readonly subject: string;
  readonly command: string;
  readonly path: string;
  readonly symbol: string;
}

/** What the person wants, in their words. */
export interface RequestFact extends Stated {
  readonly kind: "request";
  readonly words: string;
  /** The same without the sentences that bind, which are facts of their own. */
  readonly sentence: string;
}

export interface TaskFact extends Stated {
  readonly kind: "task";
  readonly subject: string;
  readonly status: WorkStatus;
}

/** A sentence of the person that binds, word for word. */
export interface ConstraintFact extends Stated {
  readonly kind: "constraint";
  readonly sentence: string;
}

export interface FileFact extends Stated {
  readonly kind: "file";
  readonly path: string;
  /** Whether its base name alone tells it from every other file of the session. */
  readonly isUnique: boolean;
  readonly isChanged: boolean;
}

/** What went wrong and does still. */
export interface ErrorFact extends Stated {
  readonly kind: "error";
  readonly attempt: string;
  readonly line: string;
}

/** A name or number that nobody can guess. */
export interface IdentifierFact extends Stated {
  readonly kind: "identifier";
  readonly term: string;
}

export interface DecisionFact extends Stated {
  readonly kind: "decision";
  readonly sentence: string;
}

/** An approach that was given up. */
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

/** What became of a fact in a text. */
export interface Judgement {
  readonly verdict: "held" | "paraphrased" | "lost";
  /** Why a fact counts as lost though the text speaks of it. */
  readonly mark?: LossMark;
}

/** Finished work told as open or the reverse; a "not" that fell away, or came in. */
export type LossMark = "wrong status" | "wrong polarity";

export const HELD: Judgement = { verdict: "held" };
export const PARAPHRASED: Judgement = { verdict: "paraphrased" };
export const LOST: Judgement = { verdict: "lost" };
