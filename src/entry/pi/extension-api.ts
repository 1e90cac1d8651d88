import type { JsonObject } from "../../core/json.ts";

/** The part of pi's extension API that we use. */
export interface PiApi {
  on(event: string, handler: (event: PiEvent, context: PiContext) => unknown): unknown;
  registerTool(tool: PiTool): void;
  registerCommand(
    name: string,
    command: { readonly description: string; readonly handler: (args: string, context: PiContext) => Promise<void> },
  ): void;
  /** Writes to the session's file, never to a request. */
  appendEntry(customType: string, data?: unknown): void;
}

/** The fields of an event, which differ by event. */
export type PiEvent = Readonly<Record<string, unknown>>;

export interface PiContext {
  readonly cwd: string;
  readonly hasUI: boolean;
  readonly ui: {
    notify(message: string, type?: "info" | "warning" | "error"): void;
    setStatus(key: string, text: string | undefined): void;
  };
  readonly model: { readonly id: string } | undefined;
  readonly sessionManager: {
    getSessionId(): string;
    getSessionFile(): string | undefined;
    /** From the first entry to the current one. */
    getBranch(): readonly PiEntry[];
    buildSessionProjection(): {
      readonly entries: readonly { readonly sourceEntry: PiEntry; readonly messages: readonly unknown[] }[];
    };
  };
  getContextUsage(): { readonly tokens: number | null; readonly contextWindow: number } | undefined;
}

export interface PiEntry {
  readonly type: string;
  readonly id: string;
  readonly message?: unknown;
  readonly customType?: string;
  readonly data?: unknown;
  readonly summary?: unknown;
}

interface PiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: JsonObject;
  execute(
    callId: string,
    input: JsonObject,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    context: PiContext,
  ): Promise<{ readonly content: readonly object[]; readonly details: undefined }>;
}
