/** For the Vercel AI SDK: its messages made lighter in `prepareStep`, or parsed into neutral ones and rendered back. */
export type { CompactionOptions, SummaryQuestion } from "../compaction-options.ts";
export type { Compacted } from "../compactor.ts";
export type { Conversation, WireMessage } from "../conversation.ts";
export { parseModelMessages } from "./model-messages.ts";
export * from "./prune-with-plimsoll.ts";
