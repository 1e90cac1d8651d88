/** What is left of one person's limits, and which instance has how much of them: one row that all instances share. */
export interface SharedUse {
  /** Requests that no instance has been granted yet. Fills by the minute. */
  readonly left: number;
  readonly atMs: number;
  readonly holds: readonly Hold[];
}

interface Hold {
  readonly instance: string;
  /** Requests that this instance may have under way at the same time. */
  readonly places: number;
  /** An instance that was killed gives nothing back: what it does not ask for again is free by then. */
  readonly untilMs: number;
}

/** What an instance wants for one person. */
export interface UseAsk {
  readonly person: string;
  readonly instance: string;
  readonly requestsPerMinute: number;
  readonly concurrent: number;
  /** Requests, and places for them, that somebody waits for. */
  readonly wantedRequests: number;
  readonly wantedPlaces: number;
  /** Whether some more are wanted, for those who come next. */
  readonly isAhead: boolean;
  /** Granted requests that nobody made: they are free again. */
  readonly unused: number;
  /** Places that it keeps, whatever else is granted. */
  readonly places: number;
}

export interface UseGrant {
  readonly person: string;
  /** So many more. */
  readonly requests: number;
  /** So many in all. */
  readonly places: number;
  /** Until there is a request again. */
  readonly retryAfterSeconds: number;
}

/** Asks for several persons in one breath; rejects where nobody can be asked. */
export type ShareUse = (asks: readonly UseAsk[]) => Promise<readonly UseGrant[]>;

const MINUTE_MS = 60_000;
const SECONDS = 60;
export const HOLD_MS = 10_000;
/** Nobody takes more than this part of what is left ahead of time: near the limit it is given one by one. */
const AHEAD_PART = 8;

/** Never grants more than the limits allow, over all who ask. A clock that was set back fills nothing and takes nothing away. */
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

/** Limits of somebody, as all instances read them from the same file. */
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
  /** Too many in this minute, or too many at the same time. */
  readonly why: "requests" | "places";
  readonly retryAfterSeconds: number;
}
