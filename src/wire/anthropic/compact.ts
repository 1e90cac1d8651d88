import type { CompactionOptions } from "../compaction-options.ts";
import { type Compacted, type Compactor, createCompactor } from "../compactor.ts";
import type { WireMessage } from "../conversation.ts";
import { createAnthropicFormat, type ParseMessagesOptions } from "./messages.ts";
import { anthropicTools } from "./vocabulary.ts";

export interface CompactOptions<Messages = readonly WireMessage[]>
  extends CompactionOptions<Messages>,
    ParseMessagesOptions {}

/**
 * Makes a Messages API array lighter: five layers, cheapest first, until it weighs at most `targetTokens`. Untouched
 * messages and blocks are your own objects; where nothing had to be done, so is the array. Works without a model.
 */
export function compact<Messages extends readonly WireMessage[]>(
  messages: Messages,
  options: CompactOptions<Messages>,
): Promise<Compacted<Messages>>;
export async function compact(messages: readonly WireMessage[], options: CompactOptions): Promise<Compacted> {
  const { react: _, ...compacted } = await createAnthropicCompactor(options).prepare(messages);
  return compacted;
}

/** For a loop of your own: keeps the ledger from request to request, and knows what to do about an overflow. */
export function createAnthropicCompactor<Messages extends readonly WireMessage[]>(
  options: CompactOptions<Messages>,
): Compactor<Messages>;
export function createAnthropicCompactor(options: CompactOptions): Compactor {
  const layers = { vocabulary: anthropicTools, ...options?.layers };
  return createCompactor(createAnthropicFormat(options), { ...options, layers });
}
