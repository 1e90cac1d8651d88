/** For LangChain's agents: a middleware, and a recall tool. */
export { createCompaction } from "./create-compaction.ts";
export { createRecallTool } from "./recall-tool.ts";
