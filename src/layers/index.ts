/** The parts of `compact`, for callers that assemble their own: the pipeline, the five layers, and what they leave in the conversation. */
export { applyEdits } from "../core/apply-edits.ts";
export { runPipeline } from "../core/pipeline.ts";
export { createAutoCompact, RESERVED_TOKENS } from "./auto-compact.ts";
export { createLayers } from "./catalogue.ts";
export { createClearStale } from "./clear-stale.ts";
export { createCollapseExchanges } from "./collapse-exchanges.ts";
export { createFoldOutputs } from "./fold-outputs.ts";
export { listOriginals } from "./history/list-originals.ts";
export type { CallMeaning, CallVocabulary } from "./history/vocabulary.ts";
