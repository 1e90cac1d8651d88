import type { Needs } from "../../src/replay/needs.ts";
import type { Outcome } from "../../src/replay/outcome.ts";
import { native } from "../../src/replay/policies/native.ts";
import { plimsollPolicies } from "../../src/replay/policies/plimsoll.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { walkSession } from "../../src/replay/walk-session.ts";
import type { ArmName } from "./play-session.ts";

/**
 * What replay says of an arm. The client compacts today where its own line is, not where the recorded one did, so the
 * recorded compactions are left out. Fetching back is not in `sendUsd`: a played model never recalls.
 */
export function predictPrice(session: ReplaySession, arm: ArmName): Outcome {
  const [plimsoll] = plimsollPolicies;
  const policy = arm === "module" && plimsoll ? plimsoll : native;
  const windowTokens = arm === "client@100k" ? Math.min(100_000, session.windowTokens) : session.windowTokens;
  const subject = { ...session, windowTokens, compactions: [] };
  return walkSession({ session: subject, needs: NO_NEEDS }, policy, {});
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
