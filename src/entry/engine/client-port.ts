import type { JsonObject } from "../../core/json.ts";

/** What the engine uses of its client, through the module. Answers are `unknown` and parsed; the client's own declarations are the authority. */
export interface ClientPort {
  readonly plugin: { readonly root: string };
  readonly session: {
    id(): Promise<string>;
    root(): Promise<string>;
    model(): Promise<string>;
    /** Of a subagent, if its id is given. */
    messages(args?: { readonly as?: "api"; readonly agentId?: string }): Promise<unknown>;
    usage(): Promise<unknown>;
    version(): Promise<{ readonly version: string }>;
    append(row: {
      readonly message: { readonly type: "user"; readonly content: readonly JsonObject[] };
    }): Promise<unknown>;
  };
  readonly model: {
    fork(request: { readonly prompt: string }): Promise<unknown>;
    /** The same, but the event that asks does not wait for it, nor does the client. */
    forkAside(request: { readonly prompt: string }): Promise<unknown>;
  };
  readonly ui: {
    /** The load as text; quiet while nothing has to be done about it. */
    status(text: string, hint: string | undefined): void;
    /** One dim line in the person's transcript, under the plugin's name; it is in no request. */
    log(text: string): void;
    /** Returns the chosen label; rejects if it was dismissed or no one can be asked. */
    ask(question: string, options: { readonly options: readonly string[]; readonly header: string }): Promise<string>;
    /** Where the client compacts from its next request on; without values, its own again. */
    line(values: { readonly window: string; readonly percent: string } | undefined): void;
  };
}

/** Lets the client carry on with an event, and answers what that came to. */
export type CarryOn = (event: JsonObject) => Promise<unknown>;
