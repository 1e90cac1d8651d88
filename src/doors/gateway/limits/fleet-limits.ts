import { once } from "../http/answer.ts";
import { HOLD_MS, type ShareUse, type UseAsk, type UseGrant } from "./grant-use.ts";

/** One user's limits, which all instances read from the same file. */
export interface LimitedUser {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly concurrent: number;
}

export interface Entered {
  readonly kind: "entered";
  leave(): void;
}

export interface Refused {
  readonly kind: "refused";
  /** Too many requests in this minute, or too many at the same time. */
  readonly why: "requests" | "places";
  readonly retryAfterSeconds: number;
}

type Entry = Entered | Refused;

/** One person's limits over all instances. If the shared limits cannot be asked, the person is let in: this instance's own count has allowed it already. */
export interface FleetLimits {
  enter(user: LimitedUser): Entry | Promise<Entry>;
  /** To be called about once a second: gives back unused requests, and renews what is still held. */
  tidy(): void;
}

/** A request waits no longer than this for a database that does not answer. */
const WAIT_MS = 1_000;
/** After such a failure the database is not asked for so long. */
const REST_MS = 5_000;
/** After a refusal, the person's limits are not asked again for so long. */
const REFUSED_MS = 100;
const RENEW_MS = HOLD_MS / 3;
const SECONDS = 60;

interface Held {
  user: LimitedUser;
  requests: number;
  places: number;
  active: number;
  waiting: ((grant: UseGrant | undefined) => void)[];
  isUsed: boolean;
  askedMs: number;
  refused: { readonly entry: Entry; readonly untilMs: number } | undefined;
}

/** An instance takes a second's worth of requests at a time, so that few wait for a round trip and none is given out twice. */
export function createFleetLimits(ask: ShareUse, instance: string, clockMs: () => number): FleetLimits {
  const persons = new Map<string, Held>();
  const wanted = new Set<Held>();
  let isAsking = false;
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  const rest = (): void => {
    awayUntilMs = clockMs() + REST_MS;
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
      const grants = await ask(round.map((each) => each.ask)).catch(() => undefined);
      if (!grants) rest();
      for (const { held, waiting } of round) {
        const grant = grants?.find(({ person }) => person === held.user.name);
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
    held.askedMs = clockMs();
    // Requests that were let in without asking in the meantime have places, too.
    if (!isUsed || held.active > held.places) held.places = held.active;
    held.requests -= unused;
    const wantedRequests = Math.max(0, waiting.length - held.requests);
    const wantedPlaces = Math.max(0, waiting.length - (held.places - held.active));
    const wanted = { wantedRequests, wantedPlaces, isAhead: isUsed, unused, places: held.places };
    return { person, instance, requestsPerMinute, concurrent, ...wanted };
  };

  const enterNow = (held: Held): Entry => {
    held.active++;
    return { kind: "entered", leave: once(() => held.active--) };
  };
  const tryEnter = (held: Held): Entry | undefined => {
    if (held.requests < 1 || held.active >= held.places) return undefined;
    held.requests--;
    if (held.requests < Math.floor(held.user.requestsPerMinute / SECONDS / 2)) want(held);
    return enterNow(held);
  };
  const settleWith = (held: Held, grant: UseGrant | undefined): Entry => {
    if (!grant) return enterNow(held);
    const entry = tryEnter(held);
    if (entry) return entry;
    const refused: Refused =
      held.requests < 1
        ? { kind: "refused", why: "requests", retryAfterSeconds: grant.retryAfterSeconds }
        : { kind: "refused", why: "places", retryAfterSeconds: 1 };
    held.refused = { entry: refused, untilMs: clockMs() + REFUSED_MS };
    return refused;
  };
  const wait = (held: Held): Promise<Entry> =>
    new Promise((resolve) => {
      const settle = once((grant: UseGrant | undefined) => {
        clearTimeout(timer);
        resolve(settleWith(held, grant));
      });
      const timer = setTimeout(() => {
        rest();
        settle(undefined);
      }, WAIT_MS);
      held.waiting.push(settle);
      want(held);
    });

  return {
    enter(user) {
      const held = persons.get(user.name) ?? createHeld(user);
      persons.set(user.name, held);
      Object.assign(held, { user, isUsed: true });
      const nowMs = clockMs();
      if (nowMs < awayUntilMs) return enterNow(held);
      const entry = tryEnter(held);
      if (entry) return entry;
      return held.refused && nowMs < held.refused.untilMs ? held.refused.entry : wait(held);
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

interface OwnEntered extends Entered {
  /** Takes the count back: another instance's limit refused the request. */
  undo(): void;
}

const MINUTE_MS = 60_000;

/** A bucket for each user that refills by the minute. A clock that is set back neither adds nor removes anything. */
export function createOwnLimits(clockMs: () => number): (user: LimitedUser) => Refused | OwnEntered {
  const states = new Map<string, { left: number; atMs: number; active: number }>();
  return ({ name, requestsPerMinute, concurrent }) => {
    const nowMs = clockMs();
    const state = states.get(name) ?? { left: requestsPerMinute, atMs: nowMs, active: 0 };
    states.set(name, state);
    const refill = (Math.max(0, nowMs - state.atMs) * requestsPerMinute) / MINUTE_MS;
    state.left = Math.min(requestsPerMinute, state.left + refill);
    state.atMs = nowMs;
    if (state.active >= concurrent) return { kind: "refused", why: "places", retryAfterSeconds: 1 };
    if (state.left < 1) {
      const retryAfterSeconds = Math.ceil(((1 - state.left) * MINUTE_MS) / requestsPerMinute / 1000);
      return { kind: "refused", why: "requests", retryAfterSeconds };
    }
    state.left--;
    state.active++;
    const leave = once(() => state.active--);
    const undo = once(() => {
      state.left++;
      leave();
    });
    return { kind: "entered", leave, undo };
  };
}
