/** Set by `vitest.deep.config.ts`. */
const isDeep = process.env.PLIMSOLL_DEPTH === "deep";

/** How often something made up is tried: `few` times by `npm test`, `many` times by `npm run test:deep`. */
export function tries(few: number, many: number): number {
  return isDeep ? many : few;
}

/** A few of a list, evenly spread, for `npm test`; all of it for `npm run test:deep`. */
export function some<T>(few: number, list: readonly T[]): T[] {
  const step = isDeep ? 1 : Math.max(1, list.length / few);
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
