/** For the official SDK: a client that stays below its line, a summariser, a recall tool, what an answer used. */
export { parseUsage } from "../anthropic/parse-usage.ts";
export { createSummariser } from "./create-summariser.ts";
export { createAnthropicRecallTool as createRecallTool } from "./recall-tool.ts";
export { withPlimsoll } from "./with-plimsoll.ts";
