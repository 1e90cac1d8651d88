import type { ModelRow } from "./model-row.ts";
import { MODELS, UNKNOWN_MODEL } from "./model-table.ts";

/** `isKnown` is false for a name that matches no row. */
export interface Model extends Omit<ModelRow, "id"> {
  readonly cacheLifeMs: typeof CACHE_LIFE_MS;
  readonly isKnown: boolean;
}

export const CACHE_LIFE_MS: { readonly short: number; readonly long: number } = {
  short: 5 * 60_000,
  long: 60 * 60_000,
};

const LARGE_WINDOW_TOKENS = 1_000_000;

/** The only place that looks up a model by its id. */
export function findModel(id: string, rows: readonly ModelRow[] = MODELS): Model {
  const known = rows === MODELS ? found.get(id) : undefined;
  if (known) return known;
  const model = describe(id, rows);
  // The same few models are looked up once per request. Ids come from files, so the cache is bounded.
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

export interface ModelWindow {
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
  /** `table`: by the model's name. `assumed`: an unknown name. */
  readonly standing: "table" | "assumed";
}

/** Only a request that cannot have fitted proves a larger window: 180,437 tokens went through one of 200,000. */
const PROOF_OF_LARGE_WINDOW = 200_000;

const KNOWN_WINDOWS: readonly number[] = [200_000, 272_000, 400_000, 1_000_000];

interface WindowEvidence {
  readonly largestContextTokens?: number;
  /** Sizes at which the client compacted by itself: the best evidence there is. */
  readonly autoPreTokens?: readonly number[];
}

/** The window by the model's name, corrected by the record: a request that cannot have fitted, a compaction that came early. */
export function decideModelWindow(
  id: string,
  { largestContextTokens = 0, autoPreTokens = [] }: WindowEvidence = {},
  { windowTokens, maxOutputTokens, isKnown }: Model = findModel(id),
): ModelWindow {
  const standing = isKnown ? "table" : "assumed";
  const isLarger = largestContextTokens > Math.max(PROOF_OF_LARGE_WINDOW, windowTokens);
  if (!isLarger) return { windowTokens, maxOutputTokens, standing };
  const compactedAt = Math.max(0, ...autoPreTokens.filter((tokens) => tokens > windowTokens));
  const least = compactedAt > 0 ? Math.max(compactedAt, largestContextTokens) : Number.POSITIVE_INFINITY;
  return { windowTokens: findWindow(least), maxOutputTokens, standing };
}

/** The smallest known window that holds this many tokens. */
export function findWindow(tokens: number): number {
  return KNOWN_WINDOWS.find((known) => known >= tokens) ?? 1_000_000;
}
