import type { CompactionOptions } from "../compaction-options.ts";
import { type Compacted, createCompactor } from "../compactor.ts";
import type { WireMessage } from "../conversation.ts";
import { aiSdkFormat } from "./model-messages.ts";

export interface PruneOptions<Messages = readonly WireMessage[]> extends CompactionOptions<Messages> {
  readonly messages: Messages;
}

/**
 * Makes a list of `ModelMessage`s lighter; for `prepareStep`, which gets the whole history at every step: keep the ledger
 * between the steps, so that each begins with the bytes of the one before and the provider's prompt cache stands.
 */
export function pruneWithPlimsoll<Messages extends readonly WireMessage[]>(
  options: PruneOptions<Messages>,
): Promise<Compacted<Messages>>;
export async function pruneWithPlimsoll(options: PruneOptions): Promise<Compacted> {
  const { react: _, ...compacted } = await createCompactor(aiSdkFormat, options).prepare(options.messages);
  return compacted;
}
