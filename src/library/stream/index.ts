/** Streams: replies sentence by sentence, tools while the response arrives, server-sent events byte for byte. */
export * from "./render-sse-frame.ts";
export * from "./sentence-buffer.ts";
export * from "./sse-frames.ts";
export * from "./tool-executor.ts";
