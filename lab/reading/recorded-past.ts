import type { Arrival } from "../../src/core/event.ts";
import { renderFailure } from "../../src/core/render-failure.ts";
import { RECURRING } from "../../src/entry/engine/compaction/row-extras.ts";
import { hostOf, readSession } from "../../src/hosts/catalogue.ts";
import type { RecordedSession } from "../../src/hosts/follow-transcript.ts";
import type { Recording } from "../../src/measure/recording.ts";
import { prepareSession } from "../../src/replay/prepare-session.ts";
import type { LeftOut, ReplaySession } from "../../src/replay/session.ts";
import { type Cut, chooseCut } from "./quiz/choose-cut.ts";
import { restoreWaiting } from "./quiz/restore-waiting.ts";
import { withoutUnlogged } from "./quiz/walk-until.ts";

/** A recorded session up to its cut. */
export interface RecordedPast {
  readonly name: string;
  readonly recorded: RecordedSession;
  readonly session: ReplaySession;
  readonly cut: Cut;
  /** What had arrived when the client compacted. */
  readonly waiting: ReadonlySet<Arrival>;
  /** Lines that are no JSON or stop in the middle. */
  readonly brokenLines: number;
}

/** Reads a session and chooses where to cut it. What is wrong with it is an answer, never an exception. */
export function readPast(file: string, name: string): RecordedPast | LeftOut {
  try {
    const recorded = readSession(file);
    const brokenLines = recorded.tally.malformed + (recorded.unfinishedBytes > 0 ? 1 : 0);
    const root = recorded.entries.find(({ cwd }) => cwd)?.cwd ?? "";
    const { vocabulary } = hostOf(file);
    const { recording, waiting } = restoreWaiting(withoutRecurring(recorded.recording), recorded.events);
    // A line that is lost is lost to every reader alike; a price would be wrong by it, a comparison is not.
    const prepared = prepareSession({ name, recording, brokenLines: 0, root, vocabulary });
    if ("why" in prepared) return prepared;
    const session = withoutUnlogged(prepared);
    const cut = chooseCut(session);
    return "why" in cut ? cut : { name, recorded, session, cut, waiting, brokenLines };
  } catch (error) {
    return { name, why: `cannot be read: ${renderFailure(error)}` };
  }
}

/** Lists of tools, agents and skills come again with every window, whoever compacts: no memory is better or worse for them. */
function withoutRecurring(recording: Recording): Recording {
  const steps = recording.steps.map((step) => ({
    ...step,
    arrivals: step.arrivals.filter(({ source, label }) => source !== "attachment" || !RECURRING.has(label)),
  }));
  return { ...recording, steps };
}
