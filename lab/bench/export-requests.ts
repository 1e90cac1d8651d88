import { hostOf, readSession } from "../../src/hosts/catalogue.ts";
import { findNeeds } from "../../src/replay/needs.ts";
import type { ReplayOutcome } from "../../src/replay/outcome.ts";
import type { Briefing, Policy } from "../../src/replay/policy.ts";
import { prepareSession } from "../../src/replay/prepare-session.ts";
import { walkSession } from "../../src/replay/walk-session.ts";

/** A recorded file as replay takes it; `undefined` where replay leaves it out. */
export function prepareFile(file: string): Briefing | undefined {
  const { recording, tally, entries, unfinishedBytes } = readSession(file);
  const session = prepareSession({
    name: file,
    recording,
    brokenLines: tally.malformed + (unfinishedBytes > 0 ? 1 : 0),
    root: entries.find(({ cwd }) => cwd)?.cwd ?? "",
    vocabulary: hostOf(file).vocabulary,
    restoresFiles: hostOf(file).restoresFiles ?? false,
  });
  return "why" in session ? undefined : { session, needs: findNeeds(session) };
}

export interface ExportedSession {
  /** One JSON object a line: model, day, and tokens neither read nor written, read, written for five minutes and for an hour, and answered. */
  readonly lines: string;
  readonly outcome: ReplayOutcome;
}

/** Every request that a session would have sent under a policy, without its price. */
export function exportRequests(briefing: Briefing, policy: Policy): ExportedSession {
  const lines: string[] = [];
  const outcome = walkSession(briefing, policy, {
    onRequest({ model, usage }, step) {
      if (usage.speed !== undefined) throw new Error("the second pricer knows no fast mode");
      const tokens = {
        input: 0,
        read: usage.cacheReadTokens,
        written5m: usage.cacheWrite5mTokens,
        written1h: usage.cacheWrite1hTokens,
        output: usage.outputTokens,
      };
      const day = new Date(briefing.session.steps[step]?.atMs ?? 0).toISOString().slice(0, 10);
      lines.push(`${JSON.stringify({ model, day, ...tokens })}\n`);
    },
  });
  return { lines: lines.join(""), outcome };
}

/** All that the walk says those requests cost. */
export function sumUsd({ sendUsd, recoveryUsd, rereadUsd, unheard }: ReplayOutcome): number {
  return sendUsd + recoveryUsd + rereadUsd + unheard.usd;
}
