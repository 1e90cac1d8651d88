import { once } from "../http/answer.ts";
import { within } from "../request/patience.ts";

/** One user's limits, which all instances read from the same file. */
export interface LimitedUser {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly concurrent: number;
}

/** Refused: too many requests in this minute, or too many at the same time. */
type Entry =
  | { readonly kind: "entered"; leave(): void }
  | { readonly kind: "refused"; readonly why: "requests" | "places"; readonly retryAfterSeconds: number };

/** Each person's limits over all instances. If the shared limits cannot be asked, this instance counts on its own. */
export interface FleetLimits {
  enter(user: LimitedUser): Promise<Entry>;
  /** To be called about once a second: gives back unused requests, and renews what is still held. */
  tidy(): void;
}

/** A database that has not answered by then is away. A request may wait for its conversation after this (`PATIENT_MS`): two seconds together. */
const WAIT_MS = 500;
/** It is then not asked for so long: after a late renewal and a wait, there is still time to renew what it holds (`HOLD_MS`). */
const REST_MS = 3_000;
/** After a refusal, the person's limits are not asked again for so long. */
const REFUSED_MS = 100;
export const HOLD_MS = 10_000;
const RENEW_MS = HOLD_MS / 3;
const SECONDS = 60;

interface Held {
  user: LimitedUser;
  requests: number;
  places: number;
  active: number;
  waiting: ((grant: UseGrant | undefined) => void)[];
  isUsed: boolean;
  /** When the database was last asked, and answered. */
  askedMs: number;
  refused: { readonly entry: Entry; readonly untilMs: number } | undefined;
}

/** An instance takes a second's worth of requests at a time, so that few wait for a round trip and none is given out twice. */
export function createFleetLimits(shared: ShareUse | undefined, instance: string, clockMs: () => number): FleetLimits {
  const own = createOwnGrants(clockMs);
  const persons = new Map<string, Held>();
  const wanted = new Set<Held>();
  let isAsking = false;
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  const askGrants: ShareUse = async (asks) => {
    if (!shared || clockMs() < awayUntilMs) return own(asks);
    try {
      return await within(WAIT_MS, shared(asks));
    } catch {
      awayUntilMs = clockMs() + REST_MS;
      return own(asks);
    }
  };
  const want = (held: Held): void => {
    wanted.add(held);
    if (!isAsking) void askAll();
  };
  const askAll = async (): Promise<void> => {
    isAsking = true;
    while (wanted.size > 0) {
      const round = [...wanted].map((held) => ({ held, ask: beginAsk(held), waiting: held.waiting.splice(0) }));
      wanted.clear();
      const askedMs = clockMs();
      const grants = await askGrants(round.map((each) => each.ask));
      for (const { held, ask, waiting } of round) {
        const grant = grants.find(({ person }) => person === held.user.name);
        if (shared && awayUntilMs <= askedMs) {
          held.askedMs = askedMs;
          // Whoever used up the minute gets no second one when the database fails.
          void own([{ ...ask, wantedRequests: grant?.requests ?? 0, isAhead: false }]);
        }
        held.requests += grant?.requests ?? 0;
        held.places = Math.max(held.places, grant?.places ?? 0);
        for (const settle of waiting) settle(grant);
      }
    }
    isAsking = false;
  };
  const beginAsk = (held: Held): UseAsk => {
    const { isUsed, waiting } = held;
    const { name: person, requestsPerMinute, concurrent } = held.user;
    const unused = isUsed ? 0 : held.requests;
    if (!isUsed) held.places = held.active;
    held.requests -= unused;
    const wantedRequests = Math.max(0, waiting.length - held.requests);
    const wantedPlaces = Math.max(0, waiting.length - (held.places - held.active));
    const wanted = { wantedRequests, wantedPlaces, isAhead: isUsed, unused, places: held.places };
    return { person, instance, requestsPerMinute, concurrent, ...wanted };
  };

  // A person's limit may have become lower since the places were granted.
  const hasPlace = ({ active, places, user }: Held): boolean => active < Math.min(places, user.concurrent);
  const tryEnter = (held: Held): Entry | undefined => {
    if (held.requests < 1 || !hasPlace(held)) return undefined;
    held.requests--;
    held.active++;
    if (held.requests < Math.floor(held.user.requestsPerMinute / SECONDS / 2)) want(held);
    return { kind: "entered", leave: once(() => held.active--) };
  };
  const settleWith = (held: Held, grant: UseGrant | undefined): Entry => {
    const entry = tryEnter(held);
    if (entry) return entry;
    const refused: Entry = hasPlace(held)
      ? { kind: "refused", why: "requests", retryAfterSeconds: grant?.retryAfterSeconds ?? 1 }
      : { kind: "refused", why: "places", retryAfterSeconds: 1 };
    if (shared) held.refused = { entry: refused, untilMs: clockMs() + REFUSED_MS };
    return refused;
  };

  return {
    async enter(user) {
      const held = persons.get(user.name) ?? createHeld(user);
      persons.set(user.name, held);
      Object.assign(held, { user, isUsed: true });
      const entry = tryEnter(held);
      if (entry) return entry;
      if (held.refused && clockMs() < held.refused.untilMs) return held.refused.entry;
      return new Promise((resolve) => {
        held.waiting.push((grant) => resolve(settleWith(held, grant)));
        want(held);
      });
    },
    tidy() {
      const nowMs = clockMs();
      for (const [name, held] of persons) {
        const isLeft = held.active > 0 || held.places > 0 || held.requests > 0;
        if (!isLeft && !held.isUsed && held.waiting.length === 0) persons.delete(name);
        else if (!held.isUsed && (held.requests > 0 || held.places > held.active)) want(held);
        else if (isLeft && nowMs - held.askedMs > RENEW_MS) want(held);
        held.isUsed = false;
      }
    },
  };
}

function createHeld(user: LimitedUser): Held {
  const nothing = { requests: 0, places: 0, active: 0, waiting: [], isUsed: true };
  return { user, ...nothing, askedMs: Number.NEGATIVE_INFINITY, refused: undefined };
}

/** The limits of this instance alone: without a database, and while it is away. */
function createOwnGrants(clockMs: () => number): ShareUse {
  const uses = new Map<string, SharedUse>();
  return async (asks) =>
    asks.map((ask) => {
      const { use, grant } = grantUse(uses.get(ask.person), ask, clockMs());
      uses.set(ask.person, use);
      return grant;
    });
}

/** What is left of one person's limits, and how much each instance holds: one row that all instances share. */
export interface SharedUse {
  /** Requests that are not yet granted to an instance. Refills by the minute. */
  readonly left: number;
  readonly atMs: number;
  readonly holds: readonly Hold[];
}

interface Hold {
  readonly instance: string;
  /** Requests that this instance may have in progress at the same time. */
  readonly places: number;
  /** An instance that was killed gives nothing back: what it does not renew is free after this time. */
  readonly untilMs: number;
}

export interface UseAsk {
  readonly person: string;
  readonly instance: string;
  readonly requestsPerMinute: number;
  readonly concurrent: number;
  /** Requests, and places for them, that are being waited for. */
  readonly wantedRequests: number;
  readonly wantedPlaces: number;
  /** Whether more are wanted in advance, for the next requests. */
  readonly isAhead: boolean;
  /** Granted requests that were not used: they are free again. */
  readonly unused: number;
  /** Places that the instance keeps, whatever else is granted. */
  readonly places: number;
}

export interface UseGrant {
  readonly person: string;
  readonly requests: number;
  /** In all, not in addition. */
  readonly places: number;
  readonly retryAfterSeconds: number;
}

/** Asks for several persons at once; rejects if the shared limits cannot be reached. */
export type ShareUse = (asks: readonly UseAsk[]) => Promise<readonly UseGrant[]>;

const MINUTE_MS = 60_000;
/** At most this fraction (1/n) of what is left is granted in advance: near the limit, requests are granted one by one. */
const AHEAD_PART = 8;

/** Never grants more than the limits allow over all instances. A clock that is set back neither adds nor removes anything. */
export function grantUse(
  known: SharedUse | undefined,
  ask: UseAsk,
  nowMs: number,
): { readonly use: SharedUse; readonly grant: UseGrant } {
  const { person, instance, requestsPerMinute, concurrent, isAhead } = ask;
  const before = known ?? { left: requestsPerMinute, atMs: nowMs, holds: [] };
  const filled = (Math.max(0, nowMs - before.atMs) * requestsPerMinute) / MINUTE_MS;
  const left = Math.min(requestsPerMinute, before.left + filled + ask.unused);
  const others = before.holds.filter((hold) => hold.instance !== instance && hold.untilMs > nowMs);
  const free = concurrent - ask.places - others.reduce((sum, { places }) => sum + places, 0);

  const ahead = isAhead ? Math.min(requestsPerMinute / SECONDS, left / AHEAD_PART) : 0;
  const requests = Math.max(0, Math.floor(Math.min(left, Math.max(ask.wantedRequests, ahead))));
  const aheadPlaces = Math.min(ahead, free / AHEAD_PART);
  const morePlaces = Math.max(0, Math.floor(Math.min(free, Math.max(ask.wantedPlaces, aheadPlaces))));
  const places = ask.places + morePlaces;

  const holds = places > 0 ? [...others, { instance, places, untilMs: nowMs + HOLD_MS }] : others;
  const retryAfterSeconds = Math.max(1, Math.ceil(((1 - (left - requests)) * SECONDS) / requestsPerMinute));
  return { use: { left: left - requests, atMs: nowMs, holds }, grant: { person, requests, places, retryAfterSeconds } };
}
