import { type Figures, sumRows, toFigures, toRow } from "./figures.ts";
import type { WalkedSession } from "./outcome.ts";
import {
  DEFAULT_REPLAY_POLICY,
  nameWithLife,
  PROPOSED_CACHE_LIFE,
  REFERENCE,
  SET_CACHE_LIVES,
  type SetCacheLife,
} from "./policy-names.ts";

export interface ComparedLives {
  readonly sessions: number;
  /** Breaks of more than five minutes in them. */
  readonly pauses: number;
  /** With the recorded lifetimes. */
  readonly recordedUsd: number;
  /** The part of it in short sessions, which a longer lifetime only makes more expensive. */
  readonly shortUsd: number;
  /** What the client alone writes to its cache and puts out with the recorded lifetimes. */
  readonly clientUncachedTokens: number;
  /** Whether the account has limits, of which nobody outside knows what they count. */
  readonly isSubscription: boolean;
  /** Those that were replayed, the cheapest first. */
  readonly lives: readonly LifeCost[];
}

export interface LifeCost {
  readonly life: SetCacheLife;
  readonly usd: number;
  readonly shortUsd: number;
  /** Cache writes and output, which a subscription's limits may count. */
  readonly uncachedTokens: number;
}

/** The client whose settings include a cache lifetime. */
const CLIENT = "Claude Code";
/** Sessions without a break say nothing about the cost of a break, and a few say little. */
const LEAST_WITH_PAUSE = 3;
/** A smaller difference is no reason to change a setting. */
const LEAST_SAVED = 0.02;
/** Nor is any saving, if short sessions would cost more than this share on top. */
const MOST_SHORT_LOSS = 0.02;

type LivedSession = Pick<WalkedSession, "client" | "steps" | "walks">;

/** `undefined` if no lifetime was walked, or too few sessions had a break. */
export function compareLives(
  sessions: readonly LivedSession[],
  minSteps: number,
  isSubscription: boolean,
): ComparedLives | undefined {
  const own = sessions.filter(({ client }) => client === CLIENT);
  const short = own.filter(({ steps }) => steps < minSteps);
  const pauses = own.map(({ walks }) => walks.get(DEFAULT_REPLAY_POLICY)?.pauses ?? 0);
  const recorded = sumOf(own, DEFAULT_REPLAY_POLICY);
  const lives = SET_CACHE_LIVES.flatMap((life): readonly LifeCost[] => {
    const policy = nameWithLife(DEFAULT_REPLAY_POLICY, life);
    const figures = sumOf(own, policy);
    if (!figures) return [];
    const { netUsd: usd, uncachedTokens } = figures;
    return [{ life, usd, shortUsd: sumOf(short, policy)?.netUsd ?? 0, uncachedTokens }];
  });
  const hasEnough = pauses.filter((count) => count > 0).length >= LEAST_WITH_PAUSE;
  if (!recorded || !hasEnough || lives.length === 0) return undefined;
  return {
    sessions: own.length,
    pauses: pauses.reduce((sum, count) => sum + count, 0),
    recordedUsd: recorded.netUsd,
    shortUsd: sumOf(short, DEFAULT_REPLAY_POLICY)?.netUsd ?? 0,
    clientUncachedTokens: sumOf(own, REFERENCE)?.uncachedTokens ?? 0,
    isSubscription,
    lives: lives.sort((left, right) => left.usd - right.usd),
  };
}

/** `undefined` if a session was not walked under this policy. */
function sumOf(sessions: readonly LivedSession[], policy: string): Figures | undefined {
  const walks = sessions.flatMap((session) => session.walks.get(policy) ?? []);
  return walks.length === sessions.length ? toFigures(sumRows(walks.map(toRow))) : undefined;
}

/**
 * The lifetime that `plimsoll install` proposes; `undefined` if it saves too little, if short sessions would pay for it, or if a
 * subscription could use up more of its limits than without Plimsoll.
 */
export function chooseLife(compared: ComparedLives): LifeCost | undefined {
  const { lives, recordedUsd, shortUsd, isSubscription } = compared;
  const proposed = lives.find(({ life }) => life === PROPOSED_CACHE_LIFE);
  if (!proposed || proposed.usd >= recordedUsd * (1 - LEAST_SAVED)) return undefined;
  if (isSubscription && mayUseUpMore(compared, proposed)) return undefined;
  return proposed.shortUsd <= shortUsd * (1 + MOST_SHORT_LOSS) ? proposed : undefined;
}

/** True if a limit that does not count cache reads is used up faster than by the client alone. */
export function mayUseUpMore({ clientUncachedTokens }: ComparedLives, { uncachedTokens }: LifeCost): boolean {
  return uncachedTokens > clientUncachedTokens;
}
