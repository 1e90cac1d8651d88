/** A session that has ended, as its requests per prompt: 3, 12, 1. A session of known length alone is one entry. */
export type SessionTurns = readonly number[];

/** Where a session stands. */
export interface SessionPosition {
  readonly requestsSoFar: number;
  /** Requests since the person last spoke; leaves the turn out of the account where absent. */
  readonly requestsSincePrompt?: number;
  /** Further requests do not count: the window will be compacted by then, and what an edit saved is gone anyway. */
  readonly atMost?: number;
}

export interface Expectation {
  /** Requests still to come, the next one included: at least 1. */
  readonly requests: number;
  /** Sessions of the person that went on for longer: what the figure rests on. */
  readonly sessions: number;
}

/** What the person's own sessions teach about how long one goes on. Plain data. */
export interface SessionLengths {
  readonly sessions: readonly SessionTurns[];
  readonly meanRequests: number;
  readonly meanTurn: number;
}

/** Of nobody's sessions: what a person with few of them is taken to do, and how many sessions that belief is worth. */
const PRIOR_REQUESTS = 20;
const PRIOR_TURN = 5;
const PRIOR_WEIGHT = 2;
/** So many imagined sessions stand next to those that went on for longer. They keep a thin tail from deciding alone. */
const TAIL_WEIGHT = 3;

/** Lengths that are no positive numbers are passed over. */
export function learnSessionLengths(sessions: readonly SessionTurns[]): SessionLengths {
  const known = sessions
    .map((turns) => turns.filter((length) => length > 0 && Number.isFinite(length)))
    .filter((turns) => turns.length > 0);
  const turns = known.flat();
  const total = sum(turns);
  return {
    sessions: known,
    meanRequests: (total + PRIOR_WEIGHT * PRIOR_REQUESTS) / (known.length + PRIOR_WEIGHT),
    meanTurn: (total + PRIOR_WEIGHT * PRIOR_TURN) / (turns.length + PRIOR_WEIGHT),
  };
}

/**
 * The mean of what remained of the person's sessions that came as far as this one. Recorded sessions hardly age: whatever was
 * sent, about as much again as a whole session's mean was still to come. So that mean is what few sessions are smoothed with.
 * `undefined` without any session: then nothing is expected, and the edit waits for as long as its rewriting is worth.
 */
export function expectRequests(lengths: SessionLengths, position: SessionPosition): Expectation | undefined {
  if (lengths.sessions.length === 0) return undefined;
  const { requestsSoFar, requestsSincePrompt, atMost = Number.POSITIVE_INFINITY } = position;
  const limit = Math.max(1, atMost);
  const cut = (requests: number): number => Math.min(limit, requests);
  const sofar = Math.max(0, requestsSoFar);
  const longer = lengths.sessions.filter((turns) => sum(turns) > sofar);
  const inTurn =
    requestsSincePrompt === undefined ? undefined : expectInTurn(lengths, Math.max(0, requestsSincePrompt));
  const remains = longer.map((turns) =>
    cut(inTurn === undefined ? sum(turns) - sofar : inTurn + countAfterTurn(turns, sofar)),
  );
  // Memoryless beyond what was seen; within a limit the mean of an exponential length is shorter by what is cut off.
  const imagined = Number.isFinite(limit)
    ? lengths.meanRequests * (1 - Math.exp(-limit / lengths.meanRequests))
    : lengths.meanRequests;
  const requests = (sum(remains) + TAIL_WEIGHT * imagined) / (remains.length + TAIL_WEIGHT);
  return { requests: Math.max(1, cut(requests)), sessions: remains.length };
}

/** What remains of a turn, as it remained of the person's turns that came as far. */
function expectInTurn(lengths: SessionLengths, since: number): number {
  let remains = TAIL_WEIGHT * lengths.meanTurn;
  let count = TAIL_WEIGHT;
  for (const turns of lengths.sessions) {
    for (const length of turns) {
      if (length <= since) continue;
      remains += length - since;
      count++;
    }
  }
  return remains / count;
}

/** Requests of a session behind the turn in which its request after `sofar` lay. */
function countAfterTurn(turns: SessionTurns, sofar: number): number {
  let end = 0;
  for (const [index, length] of turns.entries()) {
    end += length;
    if (end > sofar) return sum(turns.slice(index + 1));
  }
  return 0;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
