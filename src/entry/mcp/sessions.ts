import type { JsonObject } from "../../core/json.ts";
import type { Originals } from "../../files/artifacts/originals.ts";
import type { StoredBytes } from "../../files/artifacts/read-artifacts.ts";
import { fail, type StoreResult, succeed } from "../../files/artifacts/store-result.ts";
import { createHappening, type HappeningState, MAX_FIRST_BYTES } from "../../hosts/happening.ts";
import type { Host } from "../../hosts/host.ts";
import { parseRecall } from "../../survive/recall/recall-request.ts";
import { findCallingPlace, findTranscript, openPlace, type Place } from "./place.ts";

export interface CallingSession {
  readonly session: ServerSession;
  readonly fetch: WithElsewhere["fetch"] | undefined;
}

/** A client that starts one server for several sessions is rare, and hundreds of open sessions do not occur. */
const MAX_SESSIONS = 20;

/** The session of each call. It is opened once, so each read costs only what was added since the last. */
export function createSessions(place: Place, elsewhere?: Elsewhere): (meta: JsonObject) => CallingSession {
  const open = new Map<string, CallingSession>();
  return (meta) => {
    const calling = findCallingPlace(place, meta);
    const name = `${calling.sessionId}\n${calling.project}`;
    const known = open.get(name);
    if (known) return known;
    const added = elsewhere && addElsewhere(openPlace(calling), elsewhere);
    const opened = { session: createServerSession(calling, added?.originals), fetch: added?.fetch };
    open.set(name, opened);
    const [oldest] = open.keys();
    if (open.size > MAX_SESSIONS && oldest !== undefined) open.delete(oldest);
    return opened;
  };
}

/** Another store with originals, such as a gateway's. May reject. */
export interface Elsewhere {
  read(handle: string): Promise<StoreResult<StoredBytes>>;
}

interface WithElsewhere {
  readonly originals: Originals;
  /** Fetches what a call of `recall` will ask for before it is made. */
  fetch(input: JsonObject): Promise<void>;
}

/** Fewer would be a guess. */
const WHOLE_HANDLE_DIGITS = 12;
/** The number of originals kept in memory. */
const MAX_HELD = 50;

/** The project's own originals come first. A store that does not answer is reported differently from one without the original. */
function addElsewhere(own: Originals, elsewhere: Elsewhere): WithElsewhere {
  const held = new Map<string, StoredBytes>();
  const unanswered = new Set<string>();
  // Whoever starts the server names the store, and a client's transcript does not show what a gateway replaced: a whole handle is enough.
  const asked = (): readonly string[] => [...held.keys(), ...unanswered].map((digits) => `plimsoll:${digits}`);
  return {
    originals: {
      ...own,
      handles: () => [...own.handles(), ...asked()],
      handlesOf: (sessionId) => [...own.handlesOf(sessionId), ...asked()],
      read(name) {
        const found = own.read(name);
        const digits = name.replace(/^plimsoll:/, "");
        const other = found.ok ? undefined : held.get(digits);
        if (other) return succeed(other);
        return unanswered.has(digits) ? fail("away", "the store cannot be read now, try again later") : found;
      },
    },
    async fetch(input) {
      const request = parseRecall(input);
      if ("problem" in request) return;
      for (const { digits } of request.wanted) {
        if (digits === undefined || digits.length < WHOLE_HANDLE_DIGITS || own.read(digits).ok) continue;
        const found = await elsewhere.read(digits).catch(() => undefined);
        if (found) unanswered.delete(digits);
        else unanswered.add(digits);
        if (found?.ok) held.set(digits, found.value);
        const [oldest] = held.keys();
        if (held.size > MAX_HELD && oldest !== undefined) held.delete(oldest);
      }
    },
  };
}

/** What the tools read. The server lives as long as the session, so each read costs only what was added since the last. */
export interface ServerSession {
  readonly place: Place;
  readonly originals: Originals;
  transcript(): string | undefined;
  /** `undefined` until there is a transcript. */
  follow(): HappeningState | undefined;
  /** The session's id from the name of its transcript; empty if there is neither. */
  sessionId(): string;
}

export function createServerSession(place: Place, originals: Originals = openPlace(place)): ServerSession {
  let file: string | undefined;
  let follow: () => HappeningState = () => createHappening(place.host.vocabulary).state();
  const transcript = (): string | undefined => findTranscript(place);
  return {
    place,
    originals,
    transcript,
    follow() {
      const now = transcript();
      if (now === undefined) return undefined;
      if (now !== file) follow = followFile(place.host, now);
      file = now;
      return follow();
    },
    sessionId: () => place.sessionId || place.host.nameSession(transcript() ?? ""),
  };
}

/** Each call reads only what was added since the last. */
function followFile(host: Host, file: string): () => HappeningState {
  const transcript = host.openTranscript(file, { maxFirstBytes: MAX_FIRST_BYTES });
  let happening = createHappening(host.vocabulary);
  return () => {
    transcript.read({
      onEntry: (entry) => happening.feed(entry),
      onRestart: () => {
        happening = createHappening(host.vocabulary);
      },
    });
    return happening.state();
  };
}
