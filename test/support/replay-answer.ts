import type { AnsweredPolicy, ReplayAnswer } from "../../src/replay/parse-answer.ts";

/** A policy of `plimsoll replay --json` about which only this is known. */
export function answerPolicy(given: Pick<AnsweredPolicy, "name"> & Partial<AnsweredPolicy>): AnsweredPolicy {
  return {
    ...{ about: "", netUsd: 0, recoveryUsd: 0, rereadUsd: 0, coldLost: undefined, coldRecoverable: undefined },
    relative: { netUsd: undefined, netInterval: undefined },
    ...given,
  };
}

/** An answer of `plimsoll replay --json` with nothing else in it. */
export function answerReplay(given: Partial<ReplayAnswer>): ReplayAnswer {
  const nothing = { policies: [], groups: [], clients: [], sessions: [], shortSessions: [], leftOut: [] };
  const asked = { files: 0, waiting: 0 };
  const loss = { summaries: 0, facts: 0, lost: 0 };
  return { minSteps: 60, asked, loss, installed: "plimsoll", cacheLives: undefined, ...nothing, ...given };
}
