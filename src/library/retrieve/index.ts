/** Iterative retrieval: from a task's words to the few files that matter. */
export { type Retrieval, retrieve, type Search } from "./retrieve.ts";
