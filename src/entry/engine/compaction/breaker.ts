/** The client ends a turn at the fourth compaction in a row within three requests of the one before (seen in 2.1.325). Near that, an answer must leave more room. */
export interface Breaker {
  /** Requests since the last compaction of this turn. */
  readonly requests: number;
  /** Compactions in a row that came too soon. */
  readonly rapid: number;
}

const SOON = 3;

/** A prompt begins a turn, and the client counts anew. */
export const CALM: Breaker = { requests: Number.MAX_SAFE_INTEGER, rapid: 0 };

export function countRequest(breaker: Breaker): Breaker {
  return { ...breaker, requests: Math.min(breaker.requests + 1, Number.MAX_SAFE_INTEGER) };
}

export function countCompaction({ requests, rapid }: Breaker): Breaker {
  return { requests: 0, rapid: requests < SOON ? rapid + 1 : 0 };
}

/** One came too soon, and so may the next: until then, the room is shared out among the next requests. */
export function isTight({ requests, rapid }: Breaker): boolean {
  return rapid > 0 && requests < SOON;
}

const CHARACTERS_PER_TOKEN = 2.8;
const LEAST_CHARACTERS = 2_000;

/** The share that one result may take of the room between what must stay and where the client compacts. */
export function shareRoom(room: { readonly lineTokens: number; readonly baseTokens: number }, parts: number): number {
  const tokens = (room.lineTokens - room.baseTokens) / parts;
  return Math.max(LEAST_CHARACTERS, Math.round(tokens * CHARACTERS_PER_TOKEN));
}
