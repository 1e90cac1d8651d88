/** For LangChain's agents: a middleware, and a recall tool. */
export { createCompaction } from "./create-compaction.ts";
export { createLangchainRecallTool as createRecallTool } from "./recall-tool.ts";
