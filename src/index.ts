/** Plimsoll as a library: docs/library.md says in one screen what each name is for, and what the subpaths hold. */
export type { Edit } from "./core/edit.ts";
export type { Layer, View } from "./core/layer.ts";
export { emptyLedger, type Ledger } from "./core/layer.ts";
export type { Block, Message } from "./core/message.ts";
export { listDeclined, type Report, renderReport } from "./core/pipeline.ts";
export { replaceBlock, replaceSpan } from "./core/propose-edit.ts";
export type { NamedOriginal as Original } from "./layers/history/originals.ts";
export { nameOriginal, renderOriginal } from "./layers/history/originals.ts";
export type { ExtractedMemory as Memory } from "./library/prompt/memory/merge-memories.ts";
export { estimateMessageTokens } from "./models/tokens.ts";
export type { CompactOptions, SummaryQuestion } from "./wire/compaction-options.ts";
export { type Compacted, type Compactor, compact, createCompactor, type PreparedRequest } from "./wire/compactor.ts";
export {
  type ConversationStore,
  createConversation,
  createMemoryStore,
  type PlimsollConversation,
} from "./wire/create-conversation.ts";
export { createOriginals, createRecallTool, type OriginalStore, type RecallTool } from "./wire/recall-tool.ts";
