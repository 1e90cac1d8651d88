import type { HashedOriginals } from "../../survive/recall/hash-port.ts";
import { createRecallTool as createTool, type RecallInput } from "../recall-tool.ts";

/** A schema by the standard that the AI SDK reads from version 6 on. Version 5 reads none but zod's and its own. */
interface RecallSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: RecallInput; readonly output: RecallInput };
    validate(
      value: unknown,
    ): { readonly value: RecallInput } | { readonly issues: readonly { readonly message: string }[] };
    readonly jsonSchema: {
      input(): Record<string, unknown>;
      output(): Record<string, unknown>;
    };
  };
}

/**
 * Fits `tools` of `generateText`, `streamText` and agents of the AI SDK 6 and 7. With version 5 give `jsonSchema(parameters)` of the root's
 * recall tool as the `inputSchema`.
 */
export interface AiSdkRecallTool {
  description: string;
  inputSchema: RecallSchema;
  execute(input: RecallInput): Promise<string>;
}

export function createRecallTool(originals: HashedOriginals): AiSdkRecallTool {
  const { description, parameters, run } = createTool(originals);
  const validate: RecallSchema["~standard"]["validate"] = (value) =>
    isInput(value) ? { value } : { issues: [{ message: "give a handle, as it is written in the conversation" }] };
  const jsonSchema = { input: () => ({ ...parameters }), output: () => ({ ...parameters }) };
  return {
    description,
    inputSchema: { "~standard": { version: 1, vendor: "plimsoll", validate, jsonSchema } },
    execute: run,
  };
}

function isInput(value: unknown): value is RecallInput {
  return typeof value === "object" && value !== null && "handle" in value && typeof value.handle === "string";
}
