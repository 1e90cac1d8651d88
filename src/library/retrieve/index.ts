/** Iterative retrieval: from a task's words to the few files that matter. */
export { type Retrieval, retrieve } from "./retrieve.ts";
export type { Search } from "./search.ts";
