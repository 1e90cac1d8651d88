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

/** The load line of a session whose contents are too large to be held: all but what fills the window, and what to do about it. */
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

/** The load line of one session as it stands. */
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

/** All that the file was billed for, subagents in it included, as the command line tells it. */
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

/** The last days and the limits, in the words of the first screen in the terminal. */
export function describeLookBack(
  looked: LookedAround,
  replay: ReplayState,
  { nowMs, calendar }: { readonly nowMs: number; readonly calendar: Calendar },
): LookBackView {
  // Whoever reads the page need not run anything again: it tells how far it is by itself.
  const state = replay.status === "started" ? ({ ...replay, status: "running", share: 0 } as const) : replay;
  return { told: tellLookBack(looked, state) ?? null, limits: tellLimits(looked, nowMs, calendar) };
}

/** What is advised on the sessions that are shown. */
interface AdviceKeeper {
  /** The last advice on a session, and `null` before the first. Where it is of another state than this, a new one is due. */
  find(key: string, state: AdvisedState): ShownAdvice | null;
  /** Finds what is due, one session at a time; whether there is a new advice. */
  work(): boolean;
}

interface AdvisedState {
  /** Changes whenever the advice may. */
  readonly stamp: string;
  /** `undefined` for the sample, which is nobody's. */
  readonly around: AroundSession | undefined;
  read(): RecordedSession;
}

interface KeepAdviceOptions extends SessionPlace, IndexSurroundings {
  /** For how long something takes. */
  clockMs(): number;
}

/** Planning a compaction takes hundreds of milliseconds of a long session: at most a tenth of the time goes into it. */
const PAUSE_PER_COST = 10;
const MOST_HELD = 8;

/** Apart from the load of a session, which is told within a second: nobody waits for an advice that long. */
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
