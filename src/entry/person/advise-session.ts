import { HOSTS, nameInstalled } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import type { Host } from "../../hosts/host.ts";
import { advisePerson, type PersonAdvice, type PersonSituation } from "../../policy/advice/advise-person.ts";
import type { SessionPlace } from "../../recorded/assess-session.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
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
  { look, savedByInstalling: saved }: Pick<LookedAround, "look" | "savedByInstalling">,
  place: SessionPlace,
): AroundSession {
  if (!look) return nothingAround;
  const { pauses, otherMisses, totalUsd, isAtLeast } = look;
  const days = callDays(look);
  // With several agents the figure is a part of the one that is shown below it.
  const ofFirst = look.clients.length > 1 ? ` of ${HOSTS[0].title}` : "";
  return {
    // What the policy would have saved in the client of `plimsoll install`, if it is not there. Nothing is promised without a replay.
    unused:
      saved && nameInstalled(place) === "nothing" ? { savedUsd: saved.savedUsd, days: `${days}${ofFirst}` } : undefined,
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
