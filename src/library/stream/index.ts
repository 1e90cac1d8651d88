/** Streams: replies sentence by sentence, tools while the response arrives, server-sent events byte for byte. */

export { createSentenceBuffer } from "./sentence-buffer.ts";
export { createSseParser, renderSseFrame } from "./sse-frames.ts";
export { createToolExecutor, type ToolOutcome } from "./tool-executor.ts";
