import type { JsonObject } from "../../core/json.ts";

/** The agent pi as its extensions see it, as far as this one looks. */
export interface PiApi {
  on(event: string, handler: (event: PiEvent, context: PiContext) => unknown): unknown;
  registerTool(tool: PiTool): void;
  registerCommand(name: string, command: PiCommand): void;
  /** Into the session's file, and never into a request. */
  appendEntry(customType: string, data?: unknown): void;
}

/** What an event carries; each field is read where its event has it. */
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
    /** From the first entry to the one that the conversation stands at. */
    getBranch(): readonly PiEntry[];
    buildSessionProjection(): { readonly entries: readonly PiProjected[] };
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

/** An entry with the messages that it is in the window. */
interface PiProjected {
  readonly sourceEntry: PiEntry;
  readonly messages: readonly unknown[];
}

export interface PiTool {
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

export interface PiCommand {
  readonly description: string;
  readonly handler: (args: string, context: PiContext) => Promise<void>;
}
