import { hostOfListed, locateHome } from "../../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../../hosts/host.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { type ClientSpend, spendByClient } from "../../../recorded/accounts.ts";
import { type Calendar, createCalendar } from "../../../recorded/calendar.ts";
import { joinScans, type Period, type ScannedFile, selectPeriod } from "../../../recorded/join-scans.ts";
import { dropReplayProgress, keepLastReplay, keepReplayProgress } from "../../../recorded/last-replay.ts";
import { lookBack } from "../../../recorded/look-back/look-back.ts";
import { readReportedLimits } from "../../../recorded/look-back/read-reported-limits.ts";
import type { AskedFiles } from "../../../replay/parse-answer.ts";
import { ANSWERING_POLICIES } from "../../../replay/policy-names.ts";
import { createReport, type ReplayReport } from "../../../replay/report.ts";
import type { LeftOut } from "../../../replay/session.ts";
import { nameDays } from "../../person/report-look-back.ts";
import { findTranscripts, scanFiles } from "../collect-usage.ts";
import { CliError, type Terminal } from "../command.ts";
import { renderJson } from "../print/style.ts";
import { type CollectedWalks, collectWalks, type ReplayRequest } from "./collect-walks.ts";
import { KNOWN_POLICIES } from "./replay-file.ts";

/** Shorter sessions hardly fill a window, so they are reported separately. */
export const MIN_STEPS = 60;
/** About the person's own last days an answer comes within this time, complete or not; the next run continues with older sessions. */
const MOST_MS = 120_000;

export interface ReplayQuestion
  extends Pick<ReplayRequest, "policies" | "module" | "marks" | "isHeldToBill" | "isFresh"> {
  /** Files and folders; the person's own sessions if there are none. */
  readonly paths: readonly string[];
  /** Of one's own sessions the last 30 days, if no period is given. */
  readonly period: Period | undefined;
  readonly isAll: boolean;
  readonly minSteps: number;
  readonly isUnchecked: boolean;
  /** Whether the first screen, the page and `install` show the answer from then on, if it is about all of one's own last days. */
  readonly isKept: boolean;
}

interface Asked extends AskedFiles {
  /** It says what Plimsoll would have saved in the last days: the default. */
  readonly isAnswer: boolean;
}

export interface ReplayedSessions {
  readonly report: ReplayReport;
  readonly collected: CollectedWalks;
  readonly asked: Asked;
}

export async function replaySessions(question: ReplayQuestion, terminal: Terminal): Promise<ReplayedSessions> {
  const { paths, period, isAll, isUnchecked, isKept, minSteps, policies } = question;
  const isOwn = paths.length === 0;
  const isAnswer = isKept && isOwn && !isAll && period === undefined;
  const listed = findTranscripts(paths, terminal);
  // Not `collectUsage`, which fails if no file can be read: here the report names those files.
  const { scanned } = joinScans(listed, await scanFiles(listed, terminal));
  const chosen = chooseSessions({ listed, scanned, period, isRecent: isOwn && !isAll && !period }, terminal);
  const isShown = isKept && isOwn && period === undefined && !isUnchecked;
  const request: ReplayRequest = {
    ...question,
    isHeldToBill: question.isHeldToBill && !isUnchecked,
    ...(isShown && { onProgress: followProgress(terminal) }),
    ...(isAnswer && { mostMs: MOST_MS }),
  };
  const collected = await collectWalks(chosen.files, request, terminal);
  const billed = new Map(chosen.clients.map(({ client, totalUsd }) => [client, totalUsd]));
  const leftOut = [...collected.leftOut, ...chosen.leftOut];
  const isSubscription = isOwn && readReportedLimits(locateHome(terminal.environment)).length > 0;
  const subject = { ...collected, leftOut, policies: [...policies.values()], minSteps, billed, isSubscription };
  const report = createReport(subject);
  const asked = { days: chosen.days, files: chosen.files.length + chosen.leftOut.length, waiting: collected.waiting };
  const replayed = { report, collected, asked: { ...asked, isAnswer } };
  if (isShown) {
    keepLastReplay(terminal.environment, renderReplayed(replayed, question.marks));
    dropReplayProgress(terminal.environment);
  }
  return replayed;
}

/** The default question, for entry points that have no answer yet. */
export async function replayLastDays(terminal: Terminal): Promise<void> {
  const policies = new Map([...KNOWN_POLICIES].filter(([name]) => ANSWERING_POLICIES.includes(name)));
  const usual = { module: undefined, marks: "client", isHeldToBill: true, isFresh: false, isUnchecked: false } as const;
  const own = { paths: [], period: undefined, isAll: false, minSteps: MIN_STEPS, isKept: true } as const;
  await replaySessions({ ...usual, ...own, policies }, terminal);
}

/** The answer for scripts, and for the entry points that show it later. */
export function renderReplayed({ report, asked }: ReplayedSessions, marks: string, check?: unknown): string {
  const { steps, ...rest } = report;
  const { isAnswer: _, ...files } = asked;
  return renderJson({ pricesAsOf: PRICES_AS_OF, marks, asked: files, requests: steps, ...rest, check });
}

interface Choice {
  readonly listed: readonly TranscriptFile[];
  readonly scanned: readonly ScannedFile[];
  readonly period: Period | undefined;
  readonly isRecent: boolean;
}

interface Chosen extends Pick<AskedFiles, "days"> {
  readonly files: readonly TranscriptFile[];
  readonly leftOut: readonly LeftOut[];
  readonly clients: readonly Pick<ClientSpend, "client" | "totalUsd">[];
}

function chooseSessions({ listed, scanned, period, isRecent }: Choice, terminal: Terminal): Chosen {
  const recent = isRecent ? chooseRecent(scanned, createCalendar(terminal.environment), terminal) : undefined;
  if (recent) return recent;
  const selected = period ? selectPeriod(scanned, period) : undefined;
  const nothing = "no request is recorded in this period";
  if (selected?.length === 0) throw CliError.foundNothing(nothing);
  const files = selected?.map(({ file }) => file) ?? listed;
  const isChosen = new Set(files);
  // The same sums as `plimsoll stats`.
  const spent = scanned.filter(({ file }) => isChosen.has(file));
  const clients = spendByClient(spent.map(({ file, ownSteps }) => ({ file, steps: ownSteps })));
  return { days: undefined, files, leftOut: [], clients };
}

/**
 * The sessions of the first screen's last days, in the clients in which Plimsoll can run, with the first screen's sums. `undefined` if
 * there are no such days, because the clients recorded no usage.
 */
function chooseRecent(
  scanned: readonly ScannedFile[],
  calendar: Calendar,
  { nowMs, hosts }: Terminal,
): Chosen | undefined {
  const look = lookBack(scanned, { nowMs: nowMs(), calendar });
  if (!look) return undefined;
  const isRecent = new Set(look.files);
  const all = scanned.flatMap(({ file }) =>
    isRecent.has(file.path) ? [{ file, host: hostOfListed(file, hosts) }] : [],
  );
  const others = all.filter(({ host }) => host.isOnlyRead);
  return {
    days: nameDays(look),
    files: all.flatMap(({ file, host }) => (host.isOnlyRead ? [] : [file])),
    leftOut: others.map(({ file, host }) => ({ name: file.path, why: `Plimsoll cannot run in ${host.title}` })),
    clients: look.clients,
  };
}

const REPORT_EVERY_MS = 1000;

function followProgress({ environment, nowMs }: Terminal): (share: number) => void {
  let reportedMs = Number.NEGATIVE_INFINITY;
  return (share) => {
    const atMs = nowMs();
    if (atMs - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = atMs;
    keepReplayProgress(environment, { processId: process.pid, share, atMs });
  };
}
