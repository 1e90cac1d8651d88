import { type AutoCompact, type AutoCompactOptions, type AutoCompactState, createAutoCompact } from "./auto-compact.ts";
import { type ClearStaleOptions, createClearStale } from "./clear-stale.ts";
import { type CollapseExchangesOptions, createCollapseExchanges } from "./collapse-exchanges.ts";
import { createFoldOutputs, type FoldOutputsOptions } from "./fold-outputs.ts";
import type { Hash, StoringLayer } from "./history/originals.ts";
import { type CallVocabulary, plainVocabulary } from "./history/vocabulary.ts";
import { createReactToOverflow, type ReactState, type ReactToOverflow } from "./react-to-overflow.ts";

export interface LayersOptions {
  /** What the host's tools do; without it no read is ever known to be stale. */
  readonly vocabulary?: CallVocabulary;
  /** A native hash if the entry point has one: hashing originals is most of the planning time. */
  readonly sha256?: Hash;
  readonly foldOutputs?: Omit<FoldOutputsOptions, keyof Common>;
  readonly clearStale?: Omit<ClearStaleOptions, keyof Common>;
  readonly autoCompact?: Omit<AutoCompactOptions, keyof Common>;
  readonly collapseExchanges?: Omit<CollapseExchangesOptions, keyof Common>;
  readonly saved?: { readonly autoCompact?: AutoCompactState; readonly reactToOverflow?: ReactState };
}

interface Common {
  readonly vocabulary: CallVocabulary;
  readonly sha256: Hash | undefined;
}

export interface Layers {
  readonly foldOutputs: StoringLayer;
  readonly clearStale: StoringLayer;
  readonly autoCompact: AutoCompact;
  readonly reactToOverflow: ReactToOverflow;
  readonly collapseExchanges: StoringLayer;
  /** All five, cheapest first, as a pipeline takes them. */
  readonly row: readonly StoringLayer[];
}

/** The five layers with sensible defaults; the only place that knows them all. */
export function createLayers(options: LayersOptions = {}): Layers {
  const { vocabulary = plainVocabulary, sha256, saved } = options;
  const common: Common = { vocabulary, sha256 };
  const foldOutputs = createFoldOutputs({ ...options.foldOutputs, ...common });
  const clearStale = createClearStale({ ...options.clearStale, ...common });
  const autoCompact = createAutoCompact({ ...options.autoCompact, ...common }, saved?.autoCompact);
  const reactToOverflow = createReactToOverflow(createHarder(options, common), saved?.reactToOverflow);
  const collapseExchanges = createCollapseExchanges({ ...options.collapseExchanges, ...common });
  const row = [foldOutputs, clearStale, autoCompact, reactToOverflow, collapseExchanges];
  return { foldOutputs, clearStale, autoCompact, reactToOverflow, collapseExchanges, row };
}

/** Collapsing first leaves the others little to look at. The newest exchange did not fit, so the model has not seen it, and its outputs may be folded, too. */
function createHarder({ foldOutputs }: LayersOptions, common: Common): readonly StoringLayer[] {
  return [
    createCollapseExchanges({ ...common, now: true, keepExchanges: 1 }),
    createFoldOutputs({ ...foldOutputs, ...common, atBirth: true, characters: 1_000, lines: 40 }),
    createClearStale({
      ...common,
      keepExchanges: 1,
      clearAtLeast: 0,
      purgeInputsAfterExchanges: 1,
      unusedAfterExchanges: 1,
    }),
  ];
}
