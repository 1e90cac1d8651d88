import { DEFAULT_REPLAY_POLICY, nameWithLife } from "./catalogue.ts";
import { type Figures, sumRows, toFigures, toRow } from "./figures.ts";
import type { Walk } from "./outcome.ts";
import { SET_CACHE_LIVES, type SetCacheLife } from "./prompt-cache.ts";

export interface ComparedLives {
  readonly sessions: number;
  /** Breaks of more than five minutes in them. */
  readonly pauses: number;
  /** With the recorded lifetimes. */
  readonly recordedUsd: number;
  readonly lives: readonly LifeCost[];
}

export interface LifeCost {
  readonly life: SetCacheLife;
  readonly usd: number;
  /** Cache writes and output, which a subscription's limits may count. */
  readonly uncachedTokens: number;
}

/** The client whose settings include a cache lifetime. */
const CLIENT = "Claude Code";
/** Sessions without a break say nothing about the cost of a break, and a few say little. */
const LEAST_WITH_PAUSE = 3;
/** A smaller difference is no reason to change a setting. */
const LEAST_SAVED = 0.02;

interface LivedSession {
  readonly client: string;
  readonly walks: ReadonlyMap<string, Walk>;
}

/** `undefined` if not every lifetime was walked, or too few sessions had a break. */
export function compareLives(sessions: readonly LivedSession[]): ComparedLives | undefined {
  const own = sessions.filter(({ client }) => client === CLIENT);
  const sumOf = (policy: string): Figures | undefined => {
    const walks = own.flatMap((session) => session.walks.get(policy) ?? []);
    return walks.length === own.length ? toFigures(sumRows(walks.map(toRow))) : undefined;
  };
  const pauses = own.map(({ walks }) => walks.get(DEFAULT_REPLAY_POLICY)?.pauses ?? 0);
  const recorded = sumOf(DEFAULT_REPLAY_POLICY);
  const lives = SET_CACHE_LIVES.flatMap((life): readonly LifeCost[] => {
    const figures = sumOf(nameWithLife(DEFAULT_REPLAY_POLICY, life));
    return figures ? [{ life, usd: figures.netUsd, uncachedTokens: figures.uncachedTokens }] : [];
  });
  const hasEnough = pauses.filter((count) => count > 0).length >= LEAST_WITH_PAUSE;
  if (!recorded || !hasEnough || lives.length < SET_CACHE_LIVES.length) return undefined;
  return {
    sessions: own.length,
    pauses: pauses.reduce((sum, count) => sum + count, 0),
    recordedUsd: recorded.netUsd,
    lives: lives.sort((left, right) => left.usd - right.usd),
  };
}

/** The lifetime worth setting; `undefined` if the recorded one is as good. */
export function chooseLife({ lives: [cheapest], recordedUsd }: ComparedLives): LifeCost | undefined {
  return cheapest && cheapest.usd < recordedUsd * (1 - LEAST_SAVED) ? cheapest : undefined;
}
