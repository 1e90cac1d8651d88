import { boundNeed, measureSummaries, type NeedBounds, type SummaryHeld } from "./bound-need.ts";
import { type ClientDollars, sumByClient } from "./client-dollars.ts";
import { type ComparedLives, chooseLife, compareLives } from "./compare-lives.ts";
import {
  type ComparedSession,
  compareSessions,
  divide,
  drawResamples,
  findInterval,
  type Interval,
  type Relative,
} from "./compare-sessions.ts";
import { type FigureName, type Figures, planMsP95, sumRows, toFigures, toRow } from "./figures.ts";
import type { SummaryLoss, Walk, WalkedSession } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import { DEFAULT_REPLAY_POLICY, nameWithLife, REFERENCE } from "./policy-names.ts";
import type { LeftOut } from "./session.ts";

export interface PolicyTotals extends Figures {
  readonly name: string;
  readonly about: string;
  readonly planMsP95: number | undefined;
  /** Sessions with an unrecorded summary: priced, but their needs are unknown. */
  readonly wordlessSessions: number;
  /** What such summaries may have held; absent if every word is known. */
  readonly bounds: NeedBounds | undefined;
  readonly relative: Relative;
  readonly intervals: Readonly<Partial<Record<FigureName, Interval>>>;
  /** How often it left something removable in the view, by reason; the most frequent first. */
  readonly left: readonly { readonly why: string; readonly times: number }[];
}

export interface ReportGroup {
  readonly name: GroupName;
  readonly sessions: number;
  readonly repositories: number;
  readonly requests: number;
  /** In the order of the totals. */
  readonly policies: readonly { readonly name: string; readonly netUsd: number; readonly relative: Relative }[];
}

/**
 * `all` has every session that is long enough; of these, those with a window of 200k and of 1M (some clients have others). The short ones
 * are in none of them.
 */
export type GroupName = "all" | "window200k" | "window1m" | "short";

export interface ReportedSession extends Omit<WalkedSession, "walks"> {
  readonly policies: readonly SessionFigures[];
}

export interface SessionFigures extends Figures {
  readonly name: string;
  readonly planMsP95: number | undefined;
  readonly isWordless: boolean;
  readonly relativeNetUsd: number | undefined;
}

export interface ReplayReport {
  /** Requests of the sessions that are long enough. */
  readonly steps: number;
  /** Sessions with fewer requests are short. */
  readonly minSteps: number;
  /** Over the sessions that are long enough, the cheapest first. */
  readonly policies: readonly PolicyTotals[];
  readonly groups: readonly ReportGroup[];
  readonly summaries: SummaryHeld;
  /** Over all replayed sessions. */
  readonly loss: SummaryLoss;
  /** The policy that does what `plimsoll install` sets: Plimsoll, with the proposed cache life if that pays. */
  readonly installed: string;
  /** Billed, simulated and Plimsoll's cost by client, over all replayed sessions. */
  readonly clients: readonly ClientDollars[];
  /** Also over all replayed sessions: an hour costs most in short sessions. */
  readonly cacheLives: ComparedLives | undefined;
  readonly sessions: readonly ReportedSession[];
  readonly shortSessions: readonly ReportedSession[];
  readonly leftOut: readonly LeftOut[];
}

interface Subject {
  readonly sessions: readonly WalkedSession[];
  readonly leftOut: readonly LeftOut[];
  readonly policies: readonly Pick<Policy, "name" | "about" | "beside">[];
  /** Sessions with fewer requests are reported separately: they hardly fill a window. */
  readonly minSteps: number;
  /** The bill of all files of each client, if known. */
  readonly billed?: ReadonlyMap<string, number>;
  /** Whether the person's account has limits, as subscriptions have. */
  readonly isSubscription?: boolean;
}

const SMALL_WINDOW_TOKENS = 200_000;
const LARGE_WINDOW_TOKENS = 1_000_000;

export function createReport(subject: Subject): ReplayReport {
  const { sessions, leftOut, policies, minSteps, billed, isSubscription = false } = subject;
  const long = sessions.filter(({ steps }) => steps >= minSteps);
  const short = sessions.filter(({ steps }) => steps < minSteps);
  const small = long.filter(({ windowTokens }) => windowTokens <= SMALL_WINDOW_TOKENS);
  const large = long.filter(({ windowTokens }) => windowTokens >= LARGE_WINDOW_TOKENS);
  const summaries = measureSummaries(sessions.flatMap(({ walks }) => walks.get(REFERENCE) ?? []));
  const draws = drawResamples(long.map(({ repository }) => repository));
  const totals = policies.map((policy) => addUp(policy, long, draws, summaries));
  const cacheLives = compareLives(sessions, minSteps, isSubscription);
  const life = cacheLives && chooseLife(cacheLives)?.life;
  const installed = life ? nameWithLife(DEFAULT_REPLAY_POLICY, life) : DEFAULT_REPLAY_POLICY;
  const byPrice = totals.sort((left, right) => left.netUsd - right.netUsd || (left.name < right.name ? -1 : 1));
  const ranked = byPrice.flatMap(({ name }) => policies.find((policy) => policy.name === name) ?? []);
  return {
    steps: long.reduce((sum, { steps }) => sum + steps, 0),
    minSteps,
    policies: byPrice,
    groups: [
      describeGroup("all", long, ranked),
      describeGroup("window200k", small, ranked),
      describeGroup("window1m", large, ranked),
      describeGroup("short", short, ranked),
    ],
    summaries,
    loss: sumLosses(sessions),
    installed,
    clients: sumByClient(sessions, installed, billed),
    cacheLives,
    sessions: long.map((session) => describeSession(session, policies)),
    shortSessions: short.map((session) => describeSession(session, policies)),
    leftOut,
  };
}

export function sumLosses(sessions: readonly Pick<WalkedSession, "loss">[]): SummaryLoss {
  const losses = sessions.flatMap(({ loss }) => loss ?? []);
  const sum = (field: keyof SummaryLoss): number => losses.reduce((all, loss) => all + loss[field], 0);
  return { summaries: sum("summaries"), facts: sum("facts"), lost: sum("lost") };
}

function countReasons(walks: readonly Walk[]): PolicyTotals["left"] {
  const counts = new Map<string, number>();
  for (const [why, times] of walks.flatMap(({ left }) => Object.entries(left)))
    counts.set(why, (counts.get(why) ?? 0) + times);
  return [...counts]
    .map(([why, times]) => ({ why, times }))
    .sort((first, second) => second.times - first.times || (first.why < second.why ? -1 : 1));
}

function addUp(
  policy: Subject["policies"][number],
  sessions: readonly WalkedSession[],
  draws: readonly Uint16Array[],
  summaries: SummaryHeld,
): PolicyTotals {
  const { name, about } = policy;
  const compared = compareWith(policy, sessions);
  const walks = sessions.flatMap(({ walks }) => walks.get(name) ?? []);
  const rows = walks.map(toRow);
  const figures = toFigures(sumRows(rows));
  const drawn = draws.map((times) => toFigures(sumRows(rows, times)));
  const referenceUsd = toFigures(sumRows(compared.map(({ referenceWalk }) => toRow(referenceWalk)))).netUsd;
  return {
    name,
    about,
    ...figures,
    planMsP95: planMsP95(walks),
    wordlessSessions: walks.filter(({ isWordless }) => isWordless).length,
    bounds: boundNeed(walks, summaries, referenceUsd),
    relative: compareSessions(compared),
    intervals: findIntervals(figures, drawn),
    left: countReasons(walks),
  };
}

function describeGroup(
  name: GroupName,
  sessions: readonly WalkedSession[],
  policies: Subject["policies"],
): ReportGroup {
  return {
    name,
    sessions: sessions.length,
    repositories: new Set(sessions.map(({ repository }) => repository)).size,
    requests: sessions.reduce((sum, { steps }) => sum + steps, 0),
    policies: policies.map((policy) => {
      const compared = compareWith(policy, sessions);
      const { netUsd } = toFigures(sumRows(compared.map(({ walk }) => toRow(walk))));
      return { name: policy.name, netUsd, relative: compareSessions(compared) };
    }),
  };
}

function compareWith(
  policy: Subject["policies"][number],
  sessions: readonly WalkedSession[],
): readonly ComparedSession[] {
  return sessions.flatMap(({ name, repository, walks }) => {
    const [walk, referenceWalk] = [walks.get(policy.name), walks.get(policy.beside ?? REFERENCE)];
    return walk && referenceWalk ? [{ name, repository, walk, referenceWalk }] : [];
  });
}

function findIntervals(figures: Figures, drawn: readonly Figures[]): PolicyTotals["intervals"] {
  const isName = (name: string): name is FigureName => name in figures;
  const intervals: Partial<Record<FigureName, Interval>> = {};
  for (const name of Object.keys(figures).filter(isName)) {
    const interval = findInterval(drawn.map((one) => one[name]));
    if (interval) intervals[name] = interval;
  }
  return intervals;
}

function describeSession({ walks, ...session }: WalkedSession, policies: Subject["policies"]): ReportedSession {
  return {
    ...session,
    policies: policies.flatMap((policy): readonly SessionFigures[] => {
      const walk = walks.get(policy.name);
      if (!walk) return [];
      const figures = toFigures(toRow(walk));
      const { isWordless } = walk;
      const referenceWalk = walks.get(policy.beside ?? REFERENCE);
      const whole = referenceWalk && toFigures(toRow(referenceWalk)).netUsd;
      const relativeNetUsd = divide(figures.netUsd, whole ?? 0);
      return [{ name: policy.name, ...figures, planMsP95: planMsP95([walk]), isWordless, relativeNetUsd }];
    }),
  };
}
