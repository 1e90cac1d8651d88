import type { Happening, Tracker } from "./happening.ts";

/** Where the conversation stands: what happened last, and what the model said last since the person spoke. */
export interface Turn {
  readonly last: "nothing" | "asked" | "said" | "acted" | "interrupted";
  /** The end of it; empty where the model has said nothing yet. */
  readonly said: string;
  readonly saidRequest: number;
  /** Whether the model had finished with it, where the host tells. */
  readonly isTurnEnd?: boolean | undefined;
  /** The question that the person's newest words answer; empty where nothing was asked. */
  readonly question: string;
}

const BEGINNING: Turn = { last: "nothing", said: "", saidRequest: 0, question: "" };
/** Enough for a question and the options to choose from. */
const MAX_SAID = 3000;

export function createTurnTracker(saved: Turn = BEGINNING): Tracker<Turn> {
  let turn = saved;
  return {
    follow(happening: Happening) {
      if (happening.kind === "asked") turn = { ...BEGINNING, last: "asked", question: happening.answers ?? "" };
      if (happening.kind === "interrupted") turn = { ...turn, last: "interrupted" };
      if (happening.kind === "act" || happening.kind === "outcome") turn = { ...turn, last: "acted" };
      if (happening.kind !== "said") return;
      const { text, request: saidRequest, isTurnEnd } = happening;
      turn = { last: "said", said: text.trimEnd().slice(-MAX_SAID), saidRequest, isTurnEnd, question: turn.question };
    },
    state: () => turn,
  };
}
