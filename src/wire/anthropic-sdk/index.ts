/** For the official SDK: a client that stays below its line, a summariser, a recall tool, and an answer's usage. */
export { parseUsage } from "../anthropic/parse-usage.ts";
export { createAnthropicRecallTool as createRecallTool, createSummariser, withPlimsoll } from "./adapter.ts";
