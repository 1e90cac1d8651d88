import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { JsonObject } from "../../src/core/json.ts";
import type { ModuleApi, ModuleHook, Next, On } from "../../src/entry/module/module-api.ts";

/** A client for the module: its processes and its requests are real, and its conversation is a list of rows. */
export interface ModuleClient {
  readonly api: ModuleApi;
  readonly on: On;
  /** What was posted to engines, oldest first. */
  readonly posts: readonly string[];
  readonly urls: readonly string[];
  readonly logged: readonly string[];
  readonly env: Map<string, string>;
  /** The process ids of the engines that were started. */
  readonly engines: readonly number[];
  /** Raises an event; `next` says what the client answers. Once it is `stopped`, what its hook asks of the client is never answered. */
  raise(event: string, e: JsonObject, next?: (e: JsonObject) => unknown, stopped?: AbortSignal): Promise<unknown>;
  close(): void;
}

const NEVER = new Promise<never>(() => undefined);

export function createModuleClient(plugin: string, home: string): ModuleClient {
  const hooks = new Map<string, { hook: ModuleHook; handler: ModuleHook }>();
  const env = new Map(Object.entries({ HOME: home, PATH: process.env.PATH ?? "" }));
  const [posts, urls, logged, engines]: [string[], string[], string[], number[]] = [[], [], [], []];
  const kills: (() => void)[] = [];
  let added = 0;
  let isClosed = false;
  const done = async (): Promise<undefined> => undefined;
  const api: ModuleApi = {
    plugin: { root: plugin },
    session: {
      id: async () => "11111111-1111-4111-8111-111111111111",
      root: async () => home,
      model: async () => "claude-sonnet-4-6",
      messages: async () => [],
      usage: async () => ({}),
      version: async () => ({ version: "2.1.325" }),
      // A row that a module adds is an event like any other.
      append: (row) => client.raise("session.append", { ...row, door: "note", uuid: `added-${++added}` }),
    },
    fs: { read: (path) => readFile(path, "utf8") },
    env: {
      get: async (name) => env.get(name),
      set: async (name, value) => (value === undefined ? env.delete(name) : env.set(name, value)),
    },
    process: {
      run: async ([program = "", ...args]) => spawn(program, args).pid,
      async *spawn({ argv: [program = "", ...args] }) {
        // The module starts a lost engine again: nobody would end that one, and it would write into a folder that is being removed.
        if (isClosed) throw new Error("the client has ended");
        const child = spawn(program, args, {
          env: Object.fromEntries(env),
          cwd: home,
          stdio: ["ignore", "pipe", "pipe"],
        });
        kills.push(() => child.kill("SIGKILL"));
        await new Promise((resolve, reject) => child.once("spawn", () => resolve(child)).once("error", reject));
        if (child.pid !== undefined) engines.push(child.pid);
        child.stderr.resume();
        try {
          for await (const text of child.stdout) yield { stream: "stdout", text: String(text) };
          yield { stream: "end", text: "" };
        } finally {
          child.kill();
        }
      },
    },
    http: {
      async fetch(url, init) {
        posts.push(String(init.body));
        urls.push(url);
        const answered = await fetch(url, {
          method: "POST",
          headers: { authorization: String((init.headers as JsonObject).authorization) },
          body: String(init.body),
        });
        return { status: answered.status, text: await answered.text() };
      },
    },
    model: { fork: done },
    tool: { register: done },
    command: { register: done },
    ui: {
      status: () => undefined,
      invalidate: () => undefined,
      log: (line) => void logged.push(line),
      ask: async () => "",
      resolve: () => ({ Box: () => undefined }),
    },
  };
  const on: On = (event: string, ...rest: readonly unknown[]) => ({
    catch: (handler: ModuleHook) => void hooks.set(event, { hook: rest.at(-1) as ModuleHook, handler }),
  });
  const client: ModuleClient = {
    api,
    on,
    posts,
    urls,
    logged,
    env,
    engines,
    async raise(event, e, answer = (given) => given, signal = new AbortController().signal) {
      const $: ModuleApi = {
        ...api,
        http: { fetch: (url, init) => (signal.aborted ? NEVER : api.http.fetch(url, init)) },
      };
      let below: Promise<unknown> | undefined;
      const next: Next = Object.assign(
        (given: JsonObject) => {
          below ??= Promise.resolve().then(() => answer(given));
          return below;
        },
        { event, signal },
      );
      const found = hooks.get(event);
      if (found === undefined) return next(e);
      return found.hook($, e, next).catch(() => found.handler($, e, next));
    },
    close() {
      isClosed = true;
      for (const kill of kills) kill();
    },
  };
  return client;
}
