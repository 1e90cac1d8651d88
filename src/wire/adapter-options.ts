import type { CompactOptions } from "./compaction-options.ts";
import type { Compacted } from "./compactor.ts";

/** What is told of each request. */
export interface AdapterEvents {
  /** Called after each request was processed, before it is sent: the moment to save the ledger. */
  readonly onPrepared?: ((compacted: Compacted) => void | Promise<void>) | undefined;
  /** Called with any error on our side, from `onPrepared` too; the request was sent unchanged. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Options of every adapter: those of `compact` without the format, which the adapter knows. */
export interface AdapterOptions extends Omit<CompactOptions, "format">, AdapterEvents {}
