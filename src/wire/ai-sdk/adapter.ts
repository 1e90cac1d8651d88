import type { HashedOriginals } from "../../survive/recall/recall.ts";
import { type AdapterSource, createAdapters } from "../adapter.ts";
import { createRecallTool, type RecallInput } from "../recall-tool.ts";

/**
 * For `prepareStep`, which gets the whole history before every step. Keeps the ledger from step to step, so that each
 * begins with the bytes of the one before and the provider's prompt cache stays valid. Make one per conversation.
 */
export function createPrepareStep(
  options: AdapterSource,
): <Messages extends readonly object[]>(step: { readonly messages: Messages }) => Promise<{ messages: Messages }>;
export function createPrepareStep(
  options: AdapterSource,
): (step: { readonly messages: readonly object[] }) => Promise<{ messages: readonly object[] }> {
  const adapter = createAdapters("ai-sdk", options)();
  return async ({ messages }) => ({ messages: (await adapter.prepare(messages))?.messages ?? messages });
}

/** A Standard Schema, which the AI SDK's types accept from version 6 on; at run time it is one of the SDK's own, as version 5 requires. */
interface RecallSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: RecallInput; readonly output: RecallInput };
    validate(
      value: unknown,
    ): { readonly value: RecallInput } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> };
  };
}

/** Fits `tools` of `generateText`, `streamText` and agents of the AI SDK 5, 6 and 7; the types of version 5 need `as never`. */
interface AiSdkRecallTool {
  description: string;
  inputSchema: RecallSchema;
  execute(input: RecallInput): Promise<string>;
}

export function createAiSdkRecallTool(originals: HashedOriginals): AiSdkRecallTool {
  const { description, parameters, run } = createRecallTool(originals);
  const message = "pass a handle exactly as it appears in the conversation";
  const own = {
    [Symbol.for("vercel.ai.schema")]: true,
    jsonSchema: parameters,
    validate: (value: unknown) =>
      isInput(value) ? { success: true, value } : { success: false, error: Error(message) },
  };
  const validate: RecallSchema["~standard"]["validate"] = (value) =>
    isInput(value) ? { value } : { issues: [{ message }] };
  const jsonSchema = { input: () => ({ ...parameters }), output: () => ({ ...parameters }) };
  const inputSchema = { ...own, "~standard": { version: 1, vendor: "plimsoll", validate, jsonSchema } as const };
  return { description, inputSchema, execute: run };
}

function isInput(value: unknown): value is RecallInput {
  return typeof value === "object" && value !== null && "handle" in value && typeof value.handle === "string";
}
