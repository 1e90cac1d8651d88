import type { Followed, RecordedSession, TranscriptReading } from "../../hosts/follow-transcript.ts";
import { billRequests, isLowerBound } from "../../models/economics/bill.ts";
import { findFoldable } from "../../policy/foldable.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import type { Calendar } from "../../recorded/calendar.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { type AroundSession, adviseSample, adviseSession } from "../person/advise-session.ts";
import type { LookedAround } from "../person/look-around.ts";
import type { ReplayState } from "../person/start-replay.ts";
import { tellLimits } from "../person/tell-limits.ts";
import { tellLookBack } from "../person/tell-look-back.ts";
import { describeFile, describeHead, type Watched } from "./describe-head.ts";
import { describeSeries } from "./describe-series.ts";
import type { LookBackView, NowHealth, NowSession, ShownAdvice } from "./wire.ts";

const TOO_LARGE = "This session is too large to analyse, so there is no advice for it.";

/** The load line of a session too large to hold: without what fills the window, and without advice. */
export function describeHeavy(
  watched: Omit<Watched, "followed">,
  followed: Followed<TranscriptReading>,
  place: SessionPlace,
): NowSession {
  const reading = followed.read();
  const { cwd, meter } = reading.transcript;
  const { steps } = reading.accounts;
  return {
    ...describeFile(watched, reading.accounts),
    model: meter.cached?.model ?? "",
    startMs: steps[0]?.atMs ?? null,
    lastMs: steps.at(-1)?.atMs ?? watched.file.modifiedMs,
    directory: cwd,
    ...describeCost(reading),
    advice: { sentence: TOO_LARGE, command: null, place: null, savesUsd: null },
    health: describeHealth(assessSession(reading, place)),
    foldable: { results: 0, tokens: 0 },
    series: { requests: [], usedTokens: [], layers: [], marks: [] },
  };
}

export function describeNow(watched: Watched, advice: ShownAdvice | null, place: SessionPlace): NowSession {
  const session = watched.followed.read();
  const { recording } = session;
  const health = assessSession(session, place);
  return {
    ...describeHead(watched, session),
    directory: session.transcript.cwd,
    ...describeCost(session),
    advice,
    health: describeHealth(health),
    foldable: findFoldable(recording),
    series: describeSeries(session, attributeSession(session), watched.deeds),
  };
}

/** The cost of the whole file including subagents in it, as on the command line. */
function describeCost({ accounts }: TranscriptReading): Pick<NowSession, "requests" | "costUsd" | "isAtLeast"> {
  const bill = billRequests(accounts.steps);
  return { requests: accounts.steps.length, costUsd: bill.spend.totalUsd, isAtLeast: isLowerBound(bill) };
}

function describeHealth(health: ReturnType<typeof assessSession>): NowHealth {
  const { level, windowTokens, compactionPointTokens, compactionPointSource, confidence, note } = health;
  return {
    level,
    usedTokens: health.usedTokens ?? null,
    lowTokens: health.lowTokens ?? null,
    highTokens: health.highTokens ?? null,
    nextTokens: health.nextTokens ?? null,
    windowTokens,
    compactionPointTokens,
    compactionPointSource,
    requestsToLine: health.requestsToLine ?? null,
    confidence,
    note,
  };
}

/** The last days and the limits, in the words of the terminal's first screen. */
export function describeLookBack(
  looked: LookedAround,
  replay: ReplayState,
  { nowMs, calendar }: { readonly nowMs: number; readonly calendar: Calendar },
): LookBackView {
  // The page shows the progress by itself, so it must not ask the reader to run anything again.
  const state = replay.status === "started" ? ({ ...replay, status: "running", share: 0 } as const) : replay;
  return { told: tellLookBack(looked, state) ?? null, limits: tellLimits(looked, nowMs, calendar) };
}

interface AdviceKeeper {
  /** The last advice on a session, `null` before the first. If it belongs to another state, new advice becomes due. */
  find(key: string, state: AdvisedState): ShownAdvice | null;
  /** Computes due advice, one session at a time. Returns whether there is new advice. */
  work(): boolean;
}

interface AdvisedState {
  /** Changes whenever the advice may. */
  readonly stamp: string;
  /** `undefined` for the sample, which is not the person's session. */
  readonly around: AroundSession | undefined;
  read(): RecordedSession;
}

interface KeepAdviceOptions extends SessionPlace, IndexSurroundings {
  /** A monotonic clock for durations. */
  clockMs(): number;
}

/** Planning a compaction of a long session takes hundreds of milliseconds; at most a tenth of the time goes into it. */
const PAUSE_PER_COST = 10;
const MOST_HELD = 8;

/** Separate from the load of a session, which must appear within a second; advice may take longer. */
export function keepAdvice(options: KeepAdviceOptions): AdviceKeeper {
  const held = new Map<string, { readonly stamp: string; readonly advice: ShownAdvice }>();
  const due = new Map<string, AdvisedState>();
  let nextMs = 0;
  return {
    find(key, state) {
      const known = held.get(key);
      if (known?.stamp !== state.stamp) due.set(key, state);
      return known?.advice ?? null;
    },
    work() {
      const [next] = due;
      if (!next || options.clockMs() < nextMs) return false;
      const [key, { stamp, around, read }] = next;
      due.delete(key);
      const startMs = options.clockMs();
      const { sentence, command, place, savesUsd } = (
        around ? adviseSession(read(), around, options) : adviseSample(read(), options)
      ).advice;
      nextMs = options.clockMs() + (options.clockMs() - startMs) * PAUSE_PER_COST;
      const advice = { sentence, command: command ?? null, place: place ?? null, savesUsd: savesUsd ?? null };
      held.delete(key);
      held.set(key, { stamp, advice });
      for (const oldest of [...held.keys()].slice(0, -MOST_HELD)) held.delete(oldest);
      return true;
    },
  };
}
