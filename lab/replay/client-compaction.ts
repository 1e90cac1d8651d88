import {
  COMPACTION_RESERVE_TOKENS,
  compactAsRecorded,
  createBackstop,
  native,
} from "../../src/replay/policies/native.ts";
import type { Briefing, Planner, Policy, ReplayDecision, StepView } from "../../src/replay/policy.ts";
import type { RecordedCompaction } from "../../src/replay/session.ts";
import { walkSession } from "../../src/replay/walk-session.ts";

/** The last digits of a sum depend on its order. */
const ROUNDING = 1e-9;

/**
 * The client behind an entry point that leaves compactions to it. What a person asked for happens where it was asked for. By itself
 * the client compacts as soon as it carries what it carried when it was recorded doing so, with the recorded summary where that
 * is at the same request, and at its usual line where nothing was recorded. An entry point that changes nothing is `native`.
 */
export function createClientCompaction(briefing: Briefing): Planner {
  const seen = watchRecorded(briefing);
  const backstop = createBackstop(briefing);
  let coming = [...briefing.session.compactions];
  let passedTokens = Number.POSITIVE_INFINITY;
  return {
    plan(occasion) {
      const carried = occasion.baseTokens + occasion.tokens;
      const [next] = coming;
      const { atTokens, mostTokens } = (next && seen.get(next)) ?? UNSEEN;
      if (next?.step === occasion.step) {
        coming = coming.slice(1);
        if (next.trigger === "manual" || carried >= atTokens * (1 - ROUNDING)) return compactAsRecorded(occasion, next);
        passedTokens = mostTokens;
      }
      const lineTokens = Math.min(passedTokens, next?.trigger === "manual" ? Number.POSITIVE_INFINITY : mostTokens);
      if (carried <= lineTokens * (1 + ROUNDING)) return backstop.plan(occasion);
      passedTokens = Number.POSITIVE_INFINITY;
      return atLine(occasion, backstop);
    },
  };
}

/** The backstop compacts above a line that it takes from the window: a window is told that makes any view too large. */
function atLine(occasion: StepView, backstop: Planner): ReplayDecision {
  return backstop.plan({ ...occasion, windowTokens: COMPACTION_RESERVE_TOKENS });
}

/** What the client carried when it compacted, and the most that it was seen to carry before, since the time before. */
interface Seen {
  readonly atTokens: number;
  readonly mostTokens: number;
}

const UNSEEN: Seen = { atTokens: 0, mostTokens: Number.POSITIVE_INFINITY };

function watchRecorded(briefing: Briefing): ReadonlyMap<RecordedCompaction, Seen> {
  const seen = new Map<RecordedCompaction, Seen>();
  const { compactions } = briefing.session;
  if (compactions.length === 0) return seen;
  const watched: Policy = {
    ...native,
    create(given) {
      const planner = native.create(given);
      let mostTokens = 0;
      return {
        plan(occasion) {
          const atTokens = occasion.baseTokens + occasion.tokens;
          mostTokens = Math.max(mostTokens, atTokens);
          const compaction = compactions.find(({ step }) => step === occasion.step);
          if (compaction) {
            seen.set(compaction, { atTokens, mostTokens });
            mostTokens = 0;
          }
          return planner.plan(occasion);
        },
      };
    },
  };
  walkSession(briefing, watched, {});
  return seen;
}
