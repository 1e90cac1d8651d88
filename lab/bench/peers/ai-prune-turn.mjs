import { createPruning } from "./ai-prune.mjs";

/** In a route's handler: when the person has said something. */
export const create = () =>
  createPruning((turns) =>
    turns.some(({ role, blocks }) => role === "user" && blocks.some(({ author }) => author === "person")),
  );
