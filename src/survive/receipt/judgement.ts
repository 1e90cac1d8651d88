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
