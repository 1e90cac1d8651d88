import { HOSTS, nameInstalled } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import type { Host } from "../../hosts/host.ts";
import { THROUGH_GATEWAY } from "../../hosts/through-gateway.ts";
import {
  advisePerson,
  type PersonAdvice,
  type PersonSituation,
  type UnusedSaving,
} from "../../policy/advice/advise-person.ts";
import type { SessionPlace } from "../../recorded/assess-session.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import type { LookBack } from "../../recorded/look-back/look-back.ts";
import type { LookedAround } from "./look-around.ts";
import { EXPECTED_REQUESTS } from "./plan-compaction.ts";
import type { CompactionPlace } from "./preview-answer.ts";
import { callDays, renderPeriod } from "./report-look-back.ts";
import { lookAhead, type SessionOutlook } from "./session-outlook.ts";

interface AdvisedSession extends Pick<SessionOutlook, "collapse"> {
  readonly advice: PersonAdvice;
}

/** The one thing to do about a session, with what the policy itself would do. */
export function adviseSession(
  host: Host,
  outlook: SessionOutlook,
  around: AroundSession,
  place: SessionPlace & IndexSurroundings,
): AdvisedSession {
  const { health, cached, quote, collapse } = outlook;
  const { atMs, ttlMs = 0 } = cached ?? {};
  const advice = advisePerson({
    commands: host.commands,
    health,
    idleMs: atMs === undefined ? undefined : place.nowMs() - atMs,
    cacheLifeMs: ttlMs,
    quote,
    installed: host.name === HOSTS[0].name ? nameInstalled(place) : "elsewhere",
    ...around,
    compaction: () => {
      const due = collapse();
      return due && { ...due, netUsd: due.netUsd, requests: EXPECTED_REQUESTS };
    },
  });
  return { advice, collapse };
}

/** The advice on the sample at the time of its last request. It is not the person's session, so there is nowhere to type anything. */
export function adviseSample(session: RecordedSession, place: CompactionPlace): AdvisedSession {
  const { atMs = place.nowMs() } = session.transcript.meter.cached ?? {};
  const then = { ...place, nowMs: () => atMs };
  const { advice, collapse } = adviseSession(session.host, lookAhead(session, then), nothingAround, then);
  return { advice: { ...advice, command: undefined, place: undefined }, collapse };
}

export type AroundSession = Pick<PersonSituation, "unused" | "paidTwice">;

export const nothingAround: AroundSession = { unused: undefined, paidTwice: undefined };

export function lookAroundSession(
  looked: Pick<LookedAround, "look" | "savedByInstalling" | "savedByClient">,
  place: SessionPlace,
): AroundSession {
  const { look } = looked;
  if (!look) return nothingAround;
  const { pauses, otherMisses, totalUsd, isAtLeast } = look;
  const days = callDays(look);
  return {
    unused: findUnused(looked, look, place),
    paidTwice: {
      again: { usd: pauses.usd + otherMisses.usd, isAtLeast: pauses.isAtLeast || otherMisses.isAtLeast },
      afterBreaksUsd: pauses.usd,
      all: { usd: totalUsd, isAtLeast },
      days,
      command: `plimsoll stats --by session --sort pauses ${renderPeriod(look)}`,
      causes: `plimsoll stats ${renderPeriod(look)}`,
    },
  };
}

/** The most that the policy would have saved in one client, if it is not there. Nothing is promised without a replay. */
function findUnused(
  { savedByInstalling, savedByClient }: Pick<LookedAround, "savedByInstalling" | "savedByClient">,
  look: LookBack,
  place: SessionPlace,
): UnusedSaving | undefined {
  // With several agents the figure is a part of the one that is shown below it.
  const daysOf = (client: string): string => callDays(look) + (look.clients.length > 1 ? ` of ${client}` : "");
  const installed: readonly UnusedSaving[] =
    savedByInstalling && nameInstalled(place) === "nothing"
      ? [
          {
            savedUsd: savedByInstalling.savedUsd,
            days: daysOf(HOSTS[0].title),
            how: "Installed in the agent",
            command: "plimsoll install",
          },
        ]
      : [];
  const through = savedByClient.flatMap(({ client, saved: { savedUsd } }): readonly UnusedSaving[] => {
    const command = THROUGH_GATEWAY[client];
    return command === undefined ? [] : [{ savedUsd, days: daysOf(client), how: "Through its gateway", command }];
  });
  return [...installed, ...through].sort((left, right) => right.savedUsd - left.savedUsd)[0];
}
