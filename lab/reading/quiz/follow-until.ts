import type { SessionEvent } from "../../../src/core/event.ts";
import type { Vocabulary } from "../../../src/session/action.ts";
import { createSession } from "../../../src/session/session.ts";
import type { Happened } from "../../../src/survive/record/continuation.ts";
import { createTrail } from "../../../src/survive/record/trail.ts";

/**
 * What had happened before a recorded request was answered. The client's own compactions are passed over: where another policy keeps
 * the window small, they were not made.
 */
export function followUntil(events: readonly SessionEvent[], stepId: string, vocabulary: Vocabulary): Happened {
  const session = createSession(vocabulary);
  const trail = createTrail(vocabulary);
  for (const event of events) {
    if (event.kind === "output" && event.stepId === stepId) break;
    if (event.kind === "compaction" || (event.kind === "arrival" && event.source === "summary")) continue;
    session.feed(event);
    trail.feed(event);
  }
  return { state: session.state(), trail: trail.state() };
}
