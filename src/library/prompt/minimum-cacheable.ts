/** First match wins. Documented by the vendor; a shorter prefix is silently not cached. Compared in November 2026. */
const MINIMA: readonly (readonly [RegExp, number])[] = [
  [/(?:opus|fable|mythos)-5/, 512],
  [/opus-4-7|3-(?:5-)?haiku|haiku-3/, 2048],
  [/opus-4-[56](?!\d)|haiku-4/, 4096],
];

/** Of every other model, and of those nobody here knows: too low a figure costs a place, too high a one the cache. */
const USUAL_MINIMUM = 1024;

/** Tokens that a prefix must have before a model's cache takes it. */
export function minimumCacheableTokens(model: string): number {
  return MINIMA.find(([pattern]) => pattern.test(model))?.[1] ?? USUAL_MINIMUM;
}
