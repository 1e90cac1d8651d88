import type { JsonObject } from "../../core/json.ts";

/**
 * OpenCode 2 as its plugins see it, as far as this one looks: after `packages/plugin/src/promise` of anomalyco/opencode
 * (`session.hook("compaction")` with `result` came with pull request 48212). The types of version 2 that are published with
 * `@opencode-ai/plugin` 1.18.33 know neither `session` nor `tool` yet.
 */
export interface SetupContext {
  /** What a person wrote beside the plugin's name; every version tells it. */
  readonly options?: unknown;
  readonly session?: {
    hook(name: "context", callback: (event: SetupRequest) => void): Promise<unknown>;
    hook(name: "compaction", callback: (event: SetupCompaction) => void): Promise<unknown>;
  };
  readonly tool?: {
    transform(callback: (editor: { add(tool: SetupTool): void }) => void): Promise<unknown>;
    hook(name: "execute.after", callback: (event: SetupExecuted) => void): Promise<unknown>;
  };
}

export interface SetupRequest {
  readonly sessionID: string;
  readonly model: { readonly id: string };
  readonly messages: unknown[];
}

export interface SetupCompaction extends SetupRequest {
  /** Set, it is the summary, and no model is asked. */
  result?: { readonly summary: string };
}

export interface SetupExecuted {
  readonly tool: string;
  readonly sessionID: string;
  readonly id: string;
  readonly input: unknown;
  readonly status: "completed" | "error";
  result?: { readonly content?: unknown };
}

interface SetupTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  execute(input: unknown, context: { readonly sessionID: string }): Promise<{ readonly content: string }>;
}
