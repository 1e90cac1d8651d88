import type { ModelRow } from "./model-row.ts";
import { MODELS, UNKNOWN_MODEL } from "./model-table.ts";

/** What is known of one model; `isKnown` is false for a name that is in no row. */
export interface Model extends Omit<ModelRow, "id"> {
  readonly cacheLifeMs: typeof CACHE_LIFE_MS;
  readonly isKnown: boolean;
}

export const CACHE_LIFE_MS: { readonly short: number; readonly long: number } = {
  short: 5 * 60_000,
  long: 60 * 60_000,
};

const LARGE_WINDOW_TOKENS = 1_000_000;

/** Looks a model up by its id. Every question about a model is answered from here. */
export function findModel(id: string, rows: readonly ModelRow[] = MODELS): Model {
  const known = rows === MODELS ? found.get(id) : undefined;
  if (known) return known;
  const model = describe(id, rows);
  // Accounts ask for the same few models once a request; an id comes from a file, so their number is not ours.
  if (rows === MODELS && found.size < 100) found.set(id, model);
  return model;
}

const found = new Map<string, Model>();

function describe(id: string, rows: readonly ModelRow[]): Model {
  // Some providers write the version with a dot.
  const name = id.replaceAll(".", "-");
  const row = rows.find((candidate) => candidate.id.test(name));
  const { id: _, cacheLifeMs = CACHE_LIFE_MS, ...rest } = row ?? { ...UNKNOWN_MODEL, id: undefined };
  const asksForLarge = id.includes("[1m]");
  return {
    ...rest,
    cacheLifeMs,
    windowTokens: asksForLarge ? Math.max(rest.windowTokens, LARGE_WINDOW_TOKENS) : rest.windowTokens,
    isKnown: row !== undefined || asksForLarge,
  };
}

/** Tokens that a prefix must have before a model's cache takes it. */
export function minimumCacheableTokens(id: string): number {
  return findModel(id).minCacheTokens;
}
