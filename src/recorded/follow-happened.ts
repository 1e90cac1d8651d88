import type { RecordedSession } from "../hosts/follow-transcript.ts";
import { createSession } from "../session/session.ts";
import type { Happened } from "../survive/record/continuation.ts";
import { createTrail } from "../survive/record/trail.ts";

export interface ReadHappened extends Happened {
  readonly sessionId: string;
  readonly cwd: string;
}

/** Turns a transcript into its events and the trail from which a compaction record is made. */
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
