/** For the Vercel AI SDK: `prepareStep`, and a recall tool. */
export { createAiSdkRecallTool as createRecallTool, createPrepareStep } from "./adapter.ts";
