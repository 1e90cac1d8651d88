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
const SECONDS = 60;
export const HOLD_MS = 10_000;
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
