import { HOSTS, locateHome } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { BEFORE_FILE } from "../../measure/attribution.ts";
import { rateModel } from "../../models/economics/rates.ts";
import { CACHE_LIFE_MS } from "../../models/find-model.ts";
import { advisePerson, type PersonAdvice, type PersonSituation } from "../../policy/advice/advise-person.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { type CompactionPreview, previewCompaction } from "../../survive/record/preview-compaction.ts";
import { readInstalled, readOwnSettings } from "../cli/doctor/read-installed.ts";
import { followHappened } from "../cli/require-session.ts";
import type { LookedAround } from "./look-around.ts";
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
export function adviseSession(
  session: RecordedSession,
  around: AroundSession,
  place: SessionPlace & IndexSurroundings,
): AdvisedSession {
  const health = assessSession(session, place);
  let planned: { readonly collapse: Collapse | undefined } | undefined;
  const collapse = (): Collapse | undefined => {
    planned ??= { collapse: planCollapse(session, place) };
    return planned.collapse;
  };
  const { atMs, ttlMs = 0 } = session.transcript.meter.cached ?? {};
  const rates = rateModel(health.model, health.usedTokens, session.transcript.meter.current?.usage.speed);
  const write = ttlMs === CACHE_LIFE_MS.long ? rates.write1h : rates.write5m;
  const advice = advisePerson({
    commands: session.host.commands,
    health,
    idleMs: atMs === undefined ? undefined : place.nowMs() - atMs,
    cacheLifeMs: ttlMs,
    rewriteUsd: rates.usdPerUnit && (health.usedTokens ?? 0) * (write - rates.read) * rates.usdPerUnit,
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
export function adviseSample(session: RecordedSession, place: SessionPlace & IndexSurroundings): AdvisedSession {
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

function planCollapse(session: RecordedSession, place: SessionPlace & IndexSurroundings): Collapse | undefined {
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

/** The assumption for a session of which nothing is known. */
export const EXPECTED_REQUESTS = 20;

/** What a compaction of a recorded session would do with the person's settings; `undefined` if no request is recorded yet. */
export function planCompaction(
  session: RecordedSession,
  place: SessionPlace & IndexSurroundings,
  expectedRequests: number = EXPECTED_REQUESTS,
): { readonly preview: CompactionPreview; readonly model: string; readonly settings: Settings } | undefined {
  const happened = followHappened(session);
  const health = assessSession(session, place);
  const contextTokens = health.nextTokens ?? health.usedTokens;
  if (contextTokens === undefined) return undefined;
  const { atMs, ttlMs } = session.transcript.meter.cached ?? { atMs: undefined, ttlMs: 0 };
  const { settings } = readOwnSettings(locateHome(place.environment), happened.cwd || place.directory);
  const { parts = {} } = attributeSession(session).at(-1) ?? {};
  const preview = previewCompaction(happened, session.recording, {
    policy: settings.policy,
    vocabulary: session.host.vocabulary,
    model: health.model,
    contextTokens,
    // Limited to this window: a transcript may begin in the middle of a session, so that its first request has too many tokens.
    baseTokens: Math.min(parts.base ?? parts[BEFORE_FILE] ?? 0, contextTokens),
    isCold: atMs !== undefined && place.nowMs() - atMs > ttlMs,
    share1h: ttlMs === CACHE_LIFE_MS.long ? 1 : 0,
    speed: session.transcript.meter.current?.usage.speed,
    root: happened.cwd,
    expectedRequests,
  });
  return { preview, model: health.model, settings };
}
