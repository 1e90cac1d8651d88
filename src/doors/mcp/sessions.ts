import type { JsonObject } from "../../core/json.ts";
import { addElsewhere, type Elsewhere, type WithElsewhere } from "./elsewhere.ts";
import { findCallingPlace, openPlace, type Place } from "./place.ts";
import { createServerSession, type ServerSession } from "./server-session.ts";

export interface CallingSession {
  readonly session: ServerSession;
  readonly fetch: WithElsewhere["fetch"] | undefined;
}

/** A client that starts one server for several sessions is rare, and nobody has hundreds of them open. */
const MAX_SESSIONS = 20;

/** The session of each call, opened once: a look costs what was added since the last. */
export function createSessions(
  place: Place,
  nowMs: () => number,
  elsewhere?: Elsewhere,
): (meta: JsonObject) => CallingSession {
  const open = new Map<string, CallingSession>();
  return (meta) => {
    const calling = findCallingPlace(place, meta);
    const name = `${calling.sessionId}\n${calling.project}`;
    const known = open.get(name);
    if (known) return known;
    const added = elsewhere && addElsewhere(openPlace(calling), elsewhere);
    const opened = { session: createServerSession(calling, nowMs, added?.originals), fetch: added?.fetch };
    open.set(name, opened);
    const [oldest] = open.keys();
    if (open.size > MAX_SESSIONS && oldest !== undefined) open.delete(oldest);
    return opened;
  };
}
