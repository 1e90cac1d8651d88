import { isObject } from "../../core/json.ts";
import { sha256 } from "../../core/sha256.ts";
import { readSettings } from "../../files/project-settings.ts";
import { HOSTS, type Hosts, hostOf, locateHome, nameInstalled } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import type { Host, TranscriptFile } from "../../hosts/host.ts";
import { THROUGH_GATEWAY } from "../../hosts/through-gateway.ts";
import { quoteReturn, type ReturnQuote } from "../../measure/quote-return.ts";
import {
  advisePerson,
  type PersonAdvice,
  type PersonSituation,
  type UnusedSaving,
} from "../../policy/advice/advise-person.ts";
import { assessSession, type SessionPlace } from "../../recorded/assess-session.ts";
import { type IndexKind, type IndexSurroundings, openFileIndex } from "../../recorded/file-index.ts";
import type { LookBack } from "../../recorded/look-back/look-back.ts";
import { hasRun } from "../../recorded/read-actions.ts";
import type { LookedAround } from "./look-around.ts";
import { EXPECTED_REQUESTS, planCompaction } from "./plan-compaction.ts";
import type { CompactionPlace } from "./preview-answer.ts";
import { callDays, renderPeriod } from "./report-look-back.ts";

interface AdvisedSession extends Pick<SessionOutlook, "collapse"> {
  readonly advice: PersonAdvice;
}

/** The one thing to do about a session, with what the policy itself would do. */
export function adviseSession(
  host: Host,
  outlook: SessionOutlook,
  around: AroundSession,
  place: CompactionPlace,
): AdvisedSession {
  const { health, cached, directory, quote, collapse } = outlook;
  const { atMs, ttlMs = 0 } = cached ?? {};
  const installed = host.name === HOSTS[0].name ? nameInstalled(place) : "elsewhere";
  const id = host.nameSession(place.transcript);
  const advice = advisePerson({
    commands: host.commands,
    health,
    idleMs: atMs === undefined ? undefined : place.nowMs() - atMs,
    cacheLifeMs: ttlMs,
    quote,
    installed,
    reload:
      installed === "module" && !hasRun(locateHome(place.environment), id)
        ? renderResume(host.program, { id, directory }, place)
        : undefined,
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

/** A session is resumed in the folder in which it works. */
function renderResume(
  program: string,
  { id, directory }: { readonly id: string; readonly directory: string },
  place: SessionPlace,
): string {
  const resume = `${program} --resume ${id}`;
  return directory === "" || directory === place.directory
    ? resume
    : `cd '${directory.replaceAll("'", "'\\''")}' && ${resume}`;
}

/** What advice on a session rests on. */
interface SessionOutlook extends Pick<PersonSituation, "health" | "quote"> {
  /** Where the session works; empty if that is not recorded. */
  readonly directory: string;
  /** When the last request was made, and how long its cache lives. */
  readonly cached: { readonly atMs?: number | undefined; readonly ttlMs: number } | undefined;
  /** What the module would do before the next request; `undefined` if no request is recorded yet. It takes a while in a long session. */
  collapse(): Collapse | undefined;
}

interface Collapse {
  readonly policy: string;
  readonly isEarly: boolean;
  readonly isDue: boolean;
  readonly messages: number;
  readonly savedTokens: number;
  readonly netUsd?: number | undefined;
}

export function lookAhead(session: RecordedSession, place: CompactionPlace): SessionOutlook {
  const { meter } = session.transcript;
  const { level, usedTokens, compactionPointTokens, requestsToLine } = assessSession(session, place);
  let planned: { readonly collapse: Collapse | undefined } | undefined;
  return {
    health: { level, usedTokens, compactionPointTokens, requestsToLine },
    cached: meter.cached && { atMs: meter.cached.atMs, ttlMs: meter.cached.ttlMs },
    directory: session.transcript.cwd,
    quote: (savedTokens) => quoteReturn(meter, savedTokens),
    collapse() {
      planned ??= { collapse: planCollapse(session, place) };
      return planned.collapse;
    },
  };
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

/** What was asked of a session that has not changed since. `null` was asked, and there is none. */
interface KeptOutlook extends Pick<SessionOutlook, "health" | "cached"> {
  /** Hash of the settings under which it holds. */
  readonly terms: string;
  readonly directory: string;
  /** By the tokens that a compaction would save. */
  readonly quotes: Readonly<Record<string, ReturnQuote | null>>;
  readonly collapse?: Collapse | null;
}

const OUTLOOKS: IndexKind<KeptOutlook> = {
  name: "outlook-index.json",
  format: 1,
  fields: { entries: "sessions", value: "outlook" },
  isValue: (value): value is KeptOutlook =>
    isObject(value) &&
    typeof value.terms === "string" &&
    typeof value.directory === "string" &&
    isObject(value.health) &&
    isObject(value.quotes),
};

interface Outlooks {
  /** The session is read only if it has changed, or if something else is asked of it than before. */
  look(file: TranscriptFile, read: () => RecordedSession): SessionOutlook;
  save(): void;
}

/** Reading a session and planning its compaction took two thirds of the first screen's time. */
export function openOutlooks(
  surroundings: SessionPlace & IndexSurroundings & { readonly hosts?: Hosts | undefined },
): Outlooks {
  const index = openFileIndex(OUTLOOKS, surroundings);
  return {
    save: index.save,
    look(file, read) {
      const host = hostOf(file.path, surroundings.hosts);
      let session: { readonly cwd: string; readonly outlook: SessionOutlook } | undefined;
      const ahead = () => {
        if (session) return session;
        const recorded = read();
        const outlook = lookAhead(recorded, { ...surroundings, transcript: file.path });
        session = { cwd: recorded.transcript.cwd, outlook };
        return session;
      };
      const begin = (): KeptOutlook => {
        const { cwd: directory, outlook } = ahead();
        const { health, cached } = outlook;
        const terms = describeTerms({ directory, cached }, host, surroundings);
        return { health, cached, directory, terms, quotes: {} };
      };
      const known = index.find(file);
      let kept = known?.terms === (known && describeTerms(known, host, surroundings)) ? known : undefined;
      const keep = (learned: Partial<KeptOutlook>): KeptOutlook => {
        const next = { ...(kept ?? begin()), ...learned };
        index.put(file, next);
        kept = next;
        return next;
      };
      const now = () => kept ?? keep({});
      return {
        health: now().health,
        cached: now().cached,
        directory: now().directory,
        quote(savedTokens) {
          const { quotes } = now();
          const { [savedTokens]: found = ahead().outlook.quote(savedTokens) ?? null } = quotes;
          if (!(savedTokens in quotes)) keep({ quotes: { ...quotes, [savedTokens]: found } });
          return found ?? undefined;
        },
        collapse() {
          const { collapse = ahead().outlook.collapse() ?? null } = now();
          if (now().collapse === undefined) keep({ collapse });
          return collapse ?? undefined;
        },
      };
    },
  };
}

function describeTerms(
  { directory, cached }: Pick<KeptOutlook, "directory" | "cached">,
  host: Host,
  { environment, nowMs, ...place }: SessionPlace & IndexSurroundings,
): string {
  const project = directory || place.directory;
  const isCold = cached?.atMs !== undefined && nowMs() - cached.atMs > cached.ttlMs;
  const client = host.readCompactionSettings(environment, project);
  return sha256(JSON.stringify([isCold, client, readSettings({}, locateHome(environment), project).settings]));
}
