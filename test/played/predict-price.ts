import { trimBase } from "../../lab/replay/trim-base.ts";
import type { Needs } from "../../src/replay/needs.ts";
import type { ReplayOutcome } from "../../src/replay/outcome.ts";
import { native } from "../../src/replay/policies/native.ts";
import { plimsollPolicies } from "../../src/replay/policies/plimsoll.ts";
import type { Policy } from "../../src/replay/policy.ts";
import { PROPOSED_CACHE_LIFE } from "../../src/replay/policy-names.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { walkSession } from "../../src/replay/walk-session.ts";
import { hasModule, type Playing } from "./play-session.ts";

export interface Prediction {
  readonly outcome: ReplayOutcome;
  /** The steps before which old exchanges were replaced. */
  readonly compactedAt: readonly number[];
}

/**
 * What replay says of an arm. The client compacts today where its own line is, not where the recorded one did, so the
 * recorded compactions are left out. Fetching back is not in `sendUsd`: a played model never recalls.
 */
export function predictPrice(
  recorded: ReplaySession,
  { arm, isLifeProposed }: Pick<Playing, "arm" | "isLifeProposed">,
): Prediction {
  const [plimsoll = native] = plimsollPolicies;
  const session = arm === "installed" ? trimBase(recorded) : recorded;
  const life = arm === "installed" && isLifeProposed === true ? PROPOSED_CACHE_LIFE : undefined;
  const windowTokens = arm === "client@100k" ? Math.min(100_000, session.windowTokens) : session.windowTokens;
  const subject = { ...session, windowTokens, compactions: [] };
  const compactedAt: number[] = [];
  const policy = watchCompactions({ ...(hasModule(arm) ? plimsoll : native), ...(life && { life }) }, (step) =>
    compactedAt.push(step),
  );
  return { outcome: walkSession({ session: subject, needs: NO_NEEDS }, policy, {}), compactedAt };
}

function watchCompactions(policy: Policy, onCompacted: (step: number) => void): Policy {
  return {
    ...policy,
    create(briefing) {
      const planner = policy.create(briefing);
      return {
        plan(occasion) {
          const decision = planner.plan(occasion);
          if (decision.edits.some(({ kind }) => kind === "replaceSpan")) onCompacted(occasion.step);
          return decision;
        },
      };
    },
  };
}

/** Needs are not asked about here, and finding them takes longer than walking. */
const NO_NEEDS: Needs = {
  bySteps: [],
  names: [],
  index: () => new Int32Array(),
  atomsOf: () => new Int32Array(),
  isRecorded: () => false,
  sources: [],
};
