import type { JsonObject } from "../../core/json.ts";

/** What we use of the engine that the client gives a hooks module (2.1.305 and later). Answers are `unknown` and parsed; its own declarations are the authority. */
export interface Engine {
  readonly plugin: { readonly name: string; readonly root: string };
  readonly session: {
    id(): Promise<string>;
    root(): Promise<string>;
    model(): Promise<string>;
    messages(args?: { readonly as: "api" }): Promise<unknown>;
    usage(args?: { readonly breakdown: "summary" }): Promise<unknown>;
    version(): Promise<{ readonly version: string }>;
    append(row: {
      readonly message: { readonly type: "user"; readonly content: readonly JsonObject[] };
    }): Promise<unknown>;
  };
  readonly fs: {
    read(path: string): Promise<string>;
    write(path: string, text: string): Promise<void>;
    list(path: string): Promise<readonly { readonly name: string; readonly kind: EntryKind }[]>;
    exists(path: string): Promise<boolean>;
    stat(path: string): Promise<{ readonly kind: EntryKind; readonly size: number; readonly isLink: boolean }>;
  };
  readonly env: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string | undefined): Promise<unknown>;
  };
  readonly clock: { after(ms: number, run: () => Promise<void>): unknown };
  readonly process: { run(argv: readonly string[]): Promise<unknown> };
  readonly model: { fork(request: { readonly prompt: string; readonly effort?: "low" }): Promise<unknown> };
  readonly tool: { register(spec: EngineTool): Promise<unknown> };
  readonly command: {
    register(spec: {
      readonly name: string;
      readonly description: string;
      readonly argumentHint: string;
    }): Promise<unknown>;
  };
  readonly ui: {
    status(text: string | undefined): void;
    /** Redraws everything that this module may change. */
    invalidate(event: "ui.render"): void;
    /** One dim line in the person's transcript, under the plugin's name; it is in no request. */
    log(text: string): void;
    /** Returns the chosen label; rejects if it was dismissed or no one can be asked. */
    ask(question: string, options: { readonly options: readonly string[]; readonly header: string }): Promise<string>;
    /** The elements that a drawing's surface supports. */
    resolve(e: JsonObject): { Box(props: JsonObject): unknown };
  };
}

/** A folder is `dir` to the engine: seen in 2.1.325. */
type EntryKind = "file" | "dir" | "other";

export interface EngineTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** `false` lists the schema from the first request on; otherwise the model finds it by search. */
  readonly isDeferred: boolean;
}

/** Continues to the other plugins and the engine; in a `.catch` it returns what the hook's own call had settled to. */
export interface EngineNext {
  (event: JsonObject): Promise<unknown>;
  /** The name of the event, for a hook on a family of them. */
  readonly event?: string;
  /** In a `.catch`: what went wrong. */
  readonly error?: { readonly kind: string; readonly message?: string };
}

type EngineHook = ($: Engine, e: JsonObject, next: EngineNext) => Promise<unknown>;

/** Registers for a family of events, optionally narrowed by a matcher, with a handler for our own failures. */
export interface On {
  (events: string, hook: EngineHook): { catch(handler: EngineHook): void };
  (events: string, matcher: JsonObject, hook: EngineHook): { catch(handler: EngineHook): void };
}
