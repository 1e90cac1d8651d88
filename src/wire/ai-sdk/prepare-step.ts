import { type AdapterOptions, createAdapters } from "../adapter.ts";

/**
 * For `prepareStep`, which gets the whole history before every step. Keeps the ledger from step to step, so that each begins with the
 * bytes of the one before and the provider's prompt cache holds. Make one per conversation.
 */
export function createPrepareStep(
  options: AdapterOptions,
): <Messages extends readonly object[]>(step: { readonly messages: Messages }) => Promise<{ messages: Messages }>;
export function createPrepareStep(
  options: AdapterOptions,
): (step: { readonly messages: readonly object[] }) => Promise<{ messages: readonly object[] }> {
  const adapter = createAdapters("ai-sdk", options)();
  return async ({ messages }) => ({ messages: (await adapter.prepare(messages))?.messages ?? messages });
}
