import { createPruning } from "./ai-prune.mjs";

/** In `prepareStep`: before every request. */
export const create = () => createPruning(() => true);
