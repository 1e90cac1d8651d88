import { HOSTS } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { quoteReturn } from "../../measure/quote-return.ts";
import { advisePerson, type PersonAdvice, type PersonSituation } from "../../policy/advice/advise-person.ts";
import { assessSession, type SessionPlace } from "../../recorded/assess-session.ts";
import { readInstalled } from "../cli/doctor/read-installed.ts";
import type { LookedAround } from "./look-around.ts";
import { type CompactionPlace, EXPECTED_REQUESTS, planCompaction } from "./plan-compaction.ts";
import { callDays, renderPeriod } from "./tell-look-back.ts";

interface AdvisedSession {
  readonly advice: PersonAdvice;
  /** What the module would do before the next request; `undefined` if no request is recorded yet. It takes a while in a long session. */
  collapse(): Collapse | undefined;
}

interface Collapse {
  readonly policy: string;
  readonly isEarly: boolean;
  readonly isDue: boolean;
  readonly messages: number;
  readonly savedTokens: number;
  readonly netUsd: number | undefined;
}

/** The one thing to do about a session, with what the policy itself would do. */
export function adviseSession(session: RecordedSession, around: AroundSession, place: CompactionPlace): AdvisedSession {
  const health = assessSession(session, place);
  let planned: { readonly collapse: Collapse | undefined } | undefined;
  const collapse = (): Collapse | undefined => {
    planned ??= { collapse: planCollapse(session, place) };
    return planned.collapse;
  };
  const { atMs, ttlMs = 0 } = session.transcript.meter.cached ?? {};
  const advice = advisePerson({
    commands: session.host.commands,
    health,
    idleMs: atMs === undefined ? undefined : place.nowMs() - atMs,
    cacheLifeMs: ttlMs,
    quote: (savedTokens) => quoteReturn(session.transcript.meter, savedTokens),
    installed: session.host.name === HOSTS[0].name ? nameInstalled(place) : "elsewhere",
    ...around,
    compaction: () => {
      const due = collapse();
      return due && { ...due, requests: EXPECTED_REQUESTS };
    },
  });
  return { advice, collapse };
}

/** The advice on the sample at the time of its last request. It is not the person's session, so there is nowhere to type anything. */
export function adviseSample(session: RecordedSession, place: CompactionPlace): AdvisedSession {
  const { atMs = place.nowMs() } = session.transcript.meter.cached ?? {};
  const { advice, collapse } = adviseSession(session, nothingAround, { ...place, nowMs: () => atMs });
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
  return {
    // What the policy would have saved in the client of `plimsoll install`, if it is not there. Nothing is promised without a replay.
    unused: saved && nameInstalled(place) === "nothing" ? { savedUsd: saved.savedUsd, days } : undefined,
    paidTwice: {
      again: { usd: pauses.usd + otherMisses.usd, isAtLeast: pauses.isAtLeast || otherMisses.isAtLeast },
      afterBreaksUsd: pauses.usd,
      all: { usd: totalUsd, isAtLeast },
      days,
      command: `plimsoll stats --by session --sort pauses ${renderPeriod(look)}`,
    },
  };
}

function nameInstalled(place: SessionPlace): "module" | "hooks" | "nothing" {
  const { plugins, hasSettingsHooks } = readInstalled(place);
  if (plugins.includes("module")) return "module";
  return plugins.length > 0 || hasSettingsHooks ? "hooks" : "nothing";
}

function planCollapse(session: RecordedSession, place: CompactionPlace): Collapse | undefined {
  const planned = planCompaction(session, place);
  if (planned === undefined) return undefined;
  const { preview, settings } = planned;
  const isEarly = settings.isOn && settings.early === "price" && settings.compaction !== "native";
  return {
    policy: settings.policy,
    isEarly,
    isDue: isEarly && preview.isDue,
    messages: preview.dropped.messages,
    savedTokens: preview.contextTokens - preview.afterTokens,
    netUsd: preview.verdict.price.expectedNetUsd,
  };
}
