/** Iterative retrieval: from a task's words to the few files that matter. */
export * from "./retrieve.ts";
export * from "./search.ts";
