import { readSession } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import { createSession } from "../../session/session.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { createTrail } from "../../survive/record/trail.ts";
import { requireRecordedSession } from "./require-session.ts";

export interface ReadHappened extends Happened {
  readonly sessionId: string;
  readonly cwd: string;
}

/** A transcript as what happened in it, with the trail that a compaction record is made of. */
export function readHappened(file: string): ReadHappened {
  const recorded = readSession(file);
  requireRecordedSession(file, recorded.tally, recorded.unfinishedBytes);
  return followHappened(recorded);
}

/** The same of a transcript that was read before. */
export function followHappened({ host, entries, events }: RecordedSession): ReadHappened {
  const session = createSession(host.vocabulary);
  const trail = createTrail(host.vocabulary);
  for (const event of events) {
    session.feed(event);
    trail.feed(event);
  }
  const last = entries.findLast((entry) => entry.cwd !== "");
  return { state: session.state(), trail: trail.state(), sessionId: last?.sessionId ?? "", cwd: last?.cwd ?? "" };
}
