/** What a model costs, and what an edit costs in its prompt cache. */
export { advanceCacheState, emptyCacheState } from "./economics/cache-state.ts";
export { explain } from "./economics/explain.ts";
export { createPricer } from "./economics/pricer.ts";
export { quotePrice } from "./economics/prices.ts";
export { addSpend, priceUsage, type Spend, zeroSpend } from "./economics/spend.ts";
export { decideModelWindow } from "./find-model.ts";
