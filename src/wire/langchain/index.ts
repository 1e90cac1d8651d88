/** For LangChain's agents: a middleware, and a recall tool. */
export { createCompaction, createLangchainRecallTool as createRecallTool } from "./adapter.ts";
