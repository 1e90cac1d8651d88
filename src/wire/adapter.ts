import type { AdapterEvents, AdapterOptions } from "./adapter-options.ts";
import { checkOptions } from "./compaction-options.ts";
import { type Compacted, type Compactor, createUnchecked, type PreparedRequest } from "./compactor.ts";
import type { PlimsollConversation } from "./create-conversation.ts";
import type { FormatName } from "./formats.ts";

/** A compactor behind an SDK. If anything fails on our side, the request is sent unchanged. */
export interface Adapter {
  prepare(messages: readonly object[]): Promise<PreparedRequest | undefined>;
  preview(messages: readonly object[]): Promise<readonly object[]>;
  react(prepared: PreparedRequest, status: number, body: unknown): Promise<Compacted | undefined>;
}

/** What every adapter takes: a conversation of its own, or the options for one whose ledger you keep yourself. */
export type AdapterSource = AdapterOptions | PlimsollConversation;

/** Opens one per conversation. Options are checked here, once. */
export function createAdapters(format: FormatName, source: AdapterSource): () => Adapter {
  if (isConversation(source)) return () => createAdapter(source.open(format), source.options);
  const checked = { ...checkOptions(source, ["onPrepared", "onFailure"]), format };
  return () => createAdapter(createUnchecked(checked), source);
}

function isConversation(source: AdapterSource): source is PlimsollConversation {
  return typeof source === "object" && source !== null && "open" in source && typeof source.open === "function";
}

function createAdapter(compactor: Compactor, { onPrepared, onFailure }: AdapterEvents): Adapter {
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
    preview: (messages) =>
      compactor.preview(messages).catch((error: unknown) => {
        onFailure?.(error);
        return messages;
      }),
    prepare: (messages) => attempt(() => compactor.prepare(messages)),
    react: (prepared, status, body) => attempt(() => prepared.react(status, body)),
  };
}
