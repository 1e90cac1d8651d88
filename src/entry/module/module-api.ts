import type { JsonObject } from "../../core/json.ts";

/** What we use of the interface that the client gives a hooks module (2.1.305 and later). Its own declarations are the authority. */
export interface ModuleApi {
  readonly plugin: { readonly root: string };
  readonly session: {
    id(): Promise<string>;
    root(): Promise<string>;
    model(): Promise<string>;
    messages(args?: JsonObject): Promise<unknown>;
    usage(): Promise<unknown>;
    version(): Promise<unknown>;
    append(row: JsonObject): Promise<unknown>;
  };
  readonly fs: { read(path: string): Promise<string> };
  readonly env: {
    get(name: string): Promise<string | undefined>;
    set(name: string, value: string | undefined): Promise<unknown>;
  };
  readonly process: {
    run(argv: readonly string[]): Promise<unknown>;
    /** Ends with the client; breaking off the iteration ends the process. */
    spawn(given: {
      readonly argv: readonly string[];
    }): AsyncIterable<{ readonly stream: string; readonly text: string }>;
  };
  readonly http: {
    fetch(url: string, init: JsonObject): Promise<{ readonly status: number; readonly text: string }>;
  };
  readonly model: { fork(request: JsonObject): Promise<unknown> };
  readonly tool: { register(tool: JsonObject): Promise<unknown> };
  readonly command: { register(command: JsonObject): Promise<unknown> };
  readonly ui: {
    status(text: string | undefined): void;
    /** Redraws everything that this module may change. */
    invalidate(event: "ui.render"): void;
    /** One dim line in the person's transcript, under the plugin's name; it is in no request. */
    log(text: string): void;
    /** Returns the chosen label; rejects if it was dismissed or no one can be asked. */
    ask(question: string, options: JsonObject): Promise<string>;
    /** The elements that a drawing's surface supports. */
    resolve(e: JsonObject): { Box(props: JsonObject): unknown };
  };
}

/** Continues to the other plugins and the client; in a `.catch` it returns what the hook's own call had settled to. */
export interface Next {
  (event: JsonObject): Promise<unknown>;
  readonly event?: string;
  /** Aborts when the person stops the event: whatever its hook asks of the client after that is never answered. */
  readonly signal: AbortSignal;
  /** In a `.catch`: what went wrong. */
  readonly error?: { readonly kind: string; readonly message?: string };
}

export type ModuleHook = ($: ModuleApi, e: JsonObject, next: Next) => Promise<unknown>;

/** Registers for an event, optionally narrowed by a matcher, with a handler for our own failures. */
export interface On {
  (event: string, hook: ModuleHook): { catch(handler: ModuleHook): void };
  (event: string, matcher: JsonObject, hook: ModuleHook): { catch(handler: ModuleHook): void };
}
