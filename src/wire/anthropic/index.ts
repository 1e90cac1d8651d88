/** Messages API arrays: made lighter in one call, or parsed into neutral messages and rendered back. */
export { listOriginals } from "../../layers/history/list-originals.ts";
export { nameOriginal, type Original, renderOriginal } from "../../layers/history/originals.ts";
export type { CompactionOptions, SummaryQuestion } from "../compaction-options.ts";
export type { Compacted, Compactor, PreparedRequest } from "../compactor.ts";
export type { Conversation, WireMessage } from "../conversation.ts";
export * from "./compact.ts";
export { type ParseMessagesOptions, parseMessages } from "./messages.ts";
export * from "./parse-usage.ts";
export * from "./vocabulary.ts";
