/** For LangChain's agents: a middleware with its recall tool, by thread. */
export { createCompaction, createLangchainRecallTool as createRecallTool, createThreadTools } from "./adapter.ts";
