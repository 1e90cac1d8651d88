import type { Usage } from "../core/usage.ts";
import { isBaseWorthAnHour, LOOK_BACK_BLOCKS } from "../models/economics/cache-state.ts";
import { findModel } from "../models/find-model.ts";
import type { SetCacheLife } from "./policy-names.ts";
import type { ReplayStep } from "./session.ts";

/** A request as the prompt cache sees it: its blocks in order, and their sizes. */
export interface SimulatedRequest extends Pick<ReplayStep, "atMs" | "model" | "share1h"> {
  readonly baseTokens: number;
  /** One object per block: the same object means the same bytes. */
  readonly blocks: readonly object[];
  readonly tokens: readonly number[];
  /** How many leading blocks are the same as in the previous request. */
  readonly unchanged: number;
}

type CacheWrite = Pick<Usage, "cacheWrite5mTokens" | "cacheWrite1hTokens">;

interface CacheUse extends CacheWrite, Pick<Usage, "cacheReadTokens"> {
  /** The prefix was still warm but unusable, because something in it had changed. */
  readonly isBust: boolean;
}

/** Where the breakpoints are. `client`: after the base and at the end. `atEdit`: also at the last unchanged block. */
export type Marks = "client" | "atEdit";

/**
 * How long entries live. `recorded`: as the recorded request wrote them. `split`: the conversation five minutes, the base an hour if that
 * is worth it, which a gateway can decide. The others can be set in Claude Code. The API accepts the longer lifetime only before the
 * shorter one, which is their order here.
 */
export type ReplayCacheLife = "recorded" | "split" | SetCacheLife;

export interface CacheRules {
  readonly marks?: Marks | undefined;
  readonly life?: ReplayCacheLife | undefined;
}

interface Entry {
  /** The entry holds the base and this many blocks. */
  readonly length: number;
  readonly tokens: number;
  expiresMs: number;
}

export interface PromptCache {
  /** Whether a request at this time would find the conversation that the last one left. */
  isWarm(atMs: number, model: string): boolean;
  /** Whether it would find the base, which may live longer. */
  isBaseWarm(atMs: number, model: string): boolean;
  /** Share of new content written with the long lifetime, given the recorded request's share. */
  shareOf1h(recorded: number): number;
  send(request: SimulatedRequest): CacheUse;
}

/**
 * The provider's prompt cache for one conversation. Entries are where requests had breakpoints, are searched for at most a fixed number of
 * blocks before a breakpoint, and live from use to use. The base ends in a breakpoint of its own.
 */
export function createPromptCache({ marks = "client", life = "recorded" }: CacheRules = {}): PromptCache {
  let entries: Entry[] = [];
  let baseExpiresMs = Number.NEGATIVE_INFINITY;
  let owner = "";
  let lastTokens = 0;
  let outlived = 0;

  const isWarm = (atMs: number, model: string): boolean =>
    model === owner && entries.some(({ expiresMs }) => expiresMs >= atMs);
  const shareOf1h = (recorded: number): number => (life === "recorded" ? recorded : life === "1h" ? 1 : 0);

  return {
    isWarm,
    isBaseWarm: (atMs, model) => model === owner && baseExpiresMs >= atMs,
    shareOf1h,
    send(request) {
      const { atMs, model, blocks, tokens, unchanged, baseTokens } = request;
      const share1h = shareOf1h(request.share1h);
      if (model !== owner) {
        entries = [];
        baseExpiresMs = Number.NEGATIVE_INFINITY;
        owner = model;
      }
      const wasWarm = isWarm(atMs, model);
      entries = entries.filter(({ length, expiresMs }) => length <= unchanged && expiresMs >= atMs);
      const total = baseTokens + sum(tokens);
      const { cacheLifeMs, minCacheTokens } = findModel(model);
      const lifeMs = share1h > 0.5 ? cacheLifeMs.long : cacheLifeMs.short;
      const reaches = marks === "atEdit" ? [blocks.length, unchanged] : [blocks.length];
      const found = findEntry(entries, reaches);
      const base = baseExpiresMs >= atMs && baseTokens >= minCacheTokens ? baseTokens : 0;
      const cacheReadTokens = found?.tokens ?? base;
      if (found) found.expiresMs = atMs + lifeMs;
      if (base === 0 && Number.isFinite(baseExpiresMs)) outlived++;
      const isBaseLong =
        life === "1h+5m" || (life === "split" && isBaseWorthAnHour({ isHourWritten: request.share1h > 0.5, outlived }));
      baseExpiresMs = atMs + (isBaseLong ? cacheLifeMs.long : lifeMs);
      for (const length of total < minCacheTokens ? [] : reaches) {
        if (length === found?.length) continue;
        const held = length === blocks.length ? total : baseTokens + sum(tokens.slice(0, length));
        entries.push({ length, tokens: held, expiresMs: atMs + lifeMs });
      }
      const isBust = wasWarm && cacheReadTokens < lastTokens && found === undefined;
      lastTokens = total;
      const writtenTokens = total - cacheReadTokens;
      const cacheWrite1hTokens = isBaseLong ? Math.max(0, baseTokens - cacheReadTokens) : writtenTokens * share1h;
      return { cacheReadTokens, cacheWrite5mTokens: writtenTokens - cacheWrite1hTokens, cacheWrite1hTokens, isBust };
    },
  };
}

export function splitWrite(tokens: number, share1h: number): CacheWrite {
  return { cacheWrite5mTokens: tokens * (1 - share1h), cacheWrite1hTokens: tokens * share1h };
}

function findEntry(entries: readonly Entry[], marks: readonly number[]): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of entries) {
    const isReached = marks.some((mark) => entry.length <= mark && mark - entry.length <= LOOK_BACK_BLOCKS);
    if (isReached && (!best || entry.length > best.length)) best = entry;
  }
  return best;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
