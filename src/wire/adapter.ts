import { type CompactOptions, checkOptions } from "./compaction-options.ts";
import { type Compacted, type Compactor, createUnchecked, type PreparedRequest } from "./compactor.ts";
import type { FormatName } from "./formats.ts";

/** Options of every adapter: those of `compact` without the format, which the adapter knows. */
export interface AdapterOptions extends Omit<CompactOptions, "format"> {
  /** Called after each request was processed, before it is sent: the moment to save the ledger. */
  readonly onPrepared?: (compacted: Compacted) => void | Promise<void>;
  /** Called with any error on our side, from `onPrepared` too; the request was sent unchanged. */
  readonly onFailure?: (error: unknown) => void;
}

/** A compactor behind an SDK. If anything fails on our side, the request is sent unchanged. */
export interface Adapter {
  prepare(messages: readonly object[]): Promise<PreparedRequest | undefined>;
  react(prepared: PreparedRequest, status: number, body: unknown): Promise<Compacted | undefined>;
}

/** Opens one per conversation. Options are checked here, once. */
export function createAdapters(format: FormatName, options: AdapterOptions): () => Adapter {
  const checked = { ...checkOptions(options, ["onPrepared", "onFailure"]), format };
  return () => createAdapter(createUnchecked(checked), options);
}

function createAdapter(compactor: Compactor, { onPrepared, onFailure }: AdapterOptions): Adapter {
  const attempt = async <Value extends Compacted>(
    work: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    try {
      const compacted = await work();
      if (compacted) await onPrepared?.(compacted);
      return compacted;
    } catch (error) {
      onFailure?.(error);
      return undefined;
    }
  };
  return {
    prepare: (messages) => attempt(() => compactor.prepare(messages)),
    react: (prepared, status, body) => attempt(() => prepared.react(status, body)),
  };
}
