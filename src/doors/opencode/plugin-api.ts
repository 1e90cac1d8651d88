import type { JsonObject } from "../../core/json.ts";

/** OpenCode 1 as its plugins see it, as far as this one looks. */
export interface OpenCodeInput {
  readonly directory: string;
}

/** Hooks are given what happened, and change `output` in place. */
type Hook<Input, Output> = (input: Input, output: Output) => Promise<void>;

export interface OpenCodeHooks {
  readonly config: (config: OpenCodeConfig) => Promise<void>;
  readonly tool: Readonly<Record<string, OpenCodeTool>>;
  readonly "tool.execute.after": Hook<ExecutedTool, { output: string }>;
  readonly "chat.params": Hook<{ readonly model: OpenCodeModel }, unknown>;
  readonly "experimental.chat.messages.transform": Hook<unknown, { readonly messages: unknown[] }>;
}

export interface OpenCodeConfig {
  compaction?: { readonly auto?: boolean; readonly prune?: boolean };
}

export interface ExecutedTool {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
  readonly args?: unknown;
}

export interface OpenCodeModel {
  readonly id?: string;
  readonly limit?: { readonly context?: number; readonly output?: number };
}

export interface OpenCodeTool {
  readonly description: string;
  /** The properties of its input, each as JSON Schema. */
  readonly args: JsonObject;
  execute(input: JsonObject, context: { readonly sessionID: string }): Promise<string>;
}
