/** For the Vercel AI SDK: `prepareStep`, and a recall tool. */
export { createPrepareStep } from "./prepare-step.ts";
export { createAiSdkRecallTool as createRecallTool } from "./recall-tool.ts";
