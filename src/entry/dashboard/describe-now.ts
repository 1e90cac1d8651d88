import { nameSession } from "../../hosts/catalogue.ts";
import type { RecordedSession, TranscriptReading } from "../../hosts/follow-transcript.ts";
import { billRequests, isLowerBound } from "../../models/economics/bill.ts";
import type { PersonAdvice } from "../../policy/advice/advise-person.ts";
import { findFoldable } from "../../policy/foldable.ts";
import { assessSession, attributeSession, type SessionPlace } from "../../recorded/assess-session.ts";
import type { Calendar } from "../../recorded/calendar.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { type AroundSession, adviseSample, adviseSession, lookAhead } from "../person/advise-session.ts";
import { chooseAdvice } from "../person/choose-advice.ts";
import type { LookedAround } from "../person/look-around.ts";
import { reportLimits } from "../person/report-limits.ts";
import { reportLookBack } from "../person/report-look-back.ts";
import type { ReplayState } from "../person/start-replay.ts";
import { describeFile, describeHead, type Watched, type WatchedFile } from "./describe-head.ts";
import { describeSeries } from "./describe-series.ts";
import type { FirstAdvice, LookBackView, NowSession } from "./wire.ts";

const TOO_LARGE = "This session is too large to analyse, so there is no advice for it.";

/** The load line of a session too large to hold: without what fills the window, and without advice. */
export function describeHeavy(watched: WatchedFile, reading: TranscriptReading, place: SessionPlace): NowSession {
  const { steps } = reading.accounts;
  return {
    ...describeFile(watched, reading.accounts),
    model: reading.transcript.meter.cached?.model ?? "",
    lastMs: steps.at(-1)?.atMs ?? watched.file.modifiedMs,
    ...describeLoad(reading, place),
    advice: { sentence: TOO_LARGE, command: undefined, place: undefined, savesUsd: undefined },
    foldable: { results: 0, tokens: 0 },
    series: { requests: [], usedTokens: [], layers: [], marks: [] },
  };
}

export function describeNow(watched: Watched, advice: PersonAdvice | undefined, place: SessionPlace): NowSession {
  const session = watched.followed.read();
  return {
    ...describeHead(watched, session),
    ...describeLoad(session, place),
    advice,
    foldable: findFoldable(session.recording),
    series: describeSeries(session, attributeSession(session), watched.actions),
  };
}

/** The cost is of the whole file including subagents in it, as on the command line. */
function describeLoad(reading: TranscriptReading, place: SessionPlace) {
  const { steps } = reading.accounts;
  const bill = billRequests(steps);
  return {
    requests: steps.length,
    costUsd: bill.spend.totalUsd,
    isAtLeast: isLowerBound(bill),
    health: assessSession(reading, place),
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
  return {
    told: reportLookBack(looked, state),
    limits: reportLimits(looked, nowMs, calendar),
    periods: looked.periods,
  };
}

/** The same choice as in the terminal, once all sessions have advice. A page is open all day, so nothing on it counts as ignored. */
export function chooseFirst(
  sessions: readonly NowSession[],
  findFile: (key: string) => string | undefined,
  around: Parameters<typeof chooseAdvice>[1],
  terms: { readonly nowMs: number; readonly calendar: Calendar },
): FirstAdvice | undefined {
  const advised = sessions.flatMap(({ key, advice }) => {
    const file = findFile(key);
    return advice && file !== undefined ? [{ key, file, advice }] : [];
  });
  const [newest, ...others] = advised;
  if (!newest || advised.length < sessions.length) return undefined;
  const chosen = chooseAdvice([newest, ...others], around, {
    ...terms,
    isIgnored: () => false,
    nameTyped: nameSession,
  });
  const { sentence, command, place, savesUsd } = chosen;
  return {
    advice: { sentence, command, place, savesUsd },
    key: advised.find(({ file }) => file === chosen.file)?.key,
  };
}

interface AdvisedState {
  /** Changes whenever the advice may. */
  readonly stamp: string;
  /** `undefined` for the sample, which is not the person's session. */
  readonly around: AroundSession | undefined;
  readonly transcript: string;
  read(): RecordedSession;
}

/** Planning a compaction of a long session takes hundreds of milliseconds; at most a tenth of the time goes into it. */
const PAUSE_PER_COST = 10;
const MOST_HELD = 8;

/** Separate from the load of a session, which must appear within a second; advice may take longer. */
export function keepAdvice(options: SessionPlace & IndexSurroundings & { clockMs(): number }) {
  const held = new Map<string, { readonly stamp: string; readonly advice: PersonAdvice }>();
  const due = new Map<string, AdvisedState>();
  let nextMs = 0;
  return {
    /** The last advice on a session. If it belongs to another state, new advice becomes due. */
    find(key: string, state: AdvisedState): PersonAdvice | undefined {
      const known = held.get(key);
      if (known?.stamp !== state.stamp) due.set(key, state);
      return known?.advice;
    },
    /** Computes due advice, one session at a time. Returns whether there is new advice. */
    work(): boolean {
      const [next] = due;
      if (!next || options.clockMs() < nextMs) return false;
      const [key, { stamp, around, transcript, read }] = next;
      due.delete(key);
      const startMs = options.clockMs();
      const place = { ...options, transcript };
      const session = read();
      const { advice } = around
        ? adviseSession(session.host, lookAhead(session, place), around, place)
        : adviseSample(session, place);
      nextMs = options.clockMs() + (options.clockMs() - startMs) * PAUSE_PER_COST;
      held.delete(key);
      held.set(key, { stamp, advice });
      for (const oldest of [...held.keys()].slice(0, -MOST_HELD)) held.delete(oldest);
      return true;
    },
  };
}
