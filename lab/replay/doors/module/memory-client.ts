import type { JsonObject } from "../../../../src/core/json.ts";
import type { ClientPort } from "../../../../src/doors/engine/client-port.ts";

/** What the engine is asked about the session that it is in. */
export interface ClientSession {
  readonly root: string;
  model(): string;
  /** What the last request carried; 0 before the first. */
  usedTokens(): number;
  /** The conversation in the form of the API, by which the module tells answers apart. */
  messages(): readonly unknown[];
  /** A row that the module adds to the conversation. */
  append(content: readonly JsonObject[]): void;
}

export interface MemoryClient {
  readonly client: ClientPort;
  readonly env: Map<string, string>;
  /** The texts that were put away since this was asked last, by their hash. */
  takeOriginals(): readonly (readonly [hash: string, text: string])[];
}

const HOME = "/home/nobody";
const ORIGINAL = /\/objects\/[0-9a-f]{2}\/([0-9a-f]{64})$/;

/** The client's engine without a client: an environment and a file system in memory, and nobody who is asked anything. */
export function createMemoryClient(session: ClientSession): MemoryClient {
  const env = new Map([["HOME", HOME]]);
  const { fs, takeOriginals } = createMemoryFiles();
  const set = (name: string, value: string | undefined): void =>
    void (value === undefined ? env.delete(name) : env.set(name, value));
  const client: ClientPort = {
    plugin: { root: "/plugin" },
    session: {
      id: async () => "00000000-0000-4000-8000-000000000000",
      root: async () => session.root,
      model: async () => session.model(),
      messages: async () => session.messages(),
      usage: async () => ({ context: { tokens: session.usedTokens() } }),
      version: async () => ({ version: "" }),
      append: async ({ message }) => session.append(message.content),
    },
    fs,
    env: { get: async (name) => env.get(name) },
    clock: { after: () => undefined },
    process: { run: async () => ({ exitCode: 0, stdout: "", stderr: "" }) },
    model: { fork: async () => undefined },
    ui: {
      status: () => undefined,
      log: () => undefined,
      ask: () => Promise.reject(new Error("nobody is there to be asked")),
      line: (values) => {
        set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", values?.window);
        set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", values?.percent);
      },
    },
  };
  return { client, env, takeOriginals };
}

function createMemoryFiles(): Pick<MemoryClient, "takeOriginals"> & { readonly fs: ClientPort["fs"] } {
  const files = new Map<string, string>();
  const folders = new Map<string, Map<string, "file" | "dir">>();
  let originals: (readonly [string, string])[] = [];
  const missing = (path: string): Error => new Error(`ENOENT: ${path}`);
  const enter = (path: string, kind: "file" | "dir"): void => {
    const at = path.lastIndexOf("/");
    const parent = path.slice(0, at);
    const entries = folders.get(parent);
    if (entries?.has(path.slice(at + 1))) return;
    folders.set(parent, (entries ?? new Map<string, "file" | "dir">()).set(path.slice(at + 1), kind));
    if (parent !== "") enter(parent, "dir");
  };
  return {
    takeOriginals() {
      const taken = originals;
      originals = [];
      return taken;
    },
    fs: {
      async read(path) {
        const text = files.get(path);
        if (text === undefined) throw missing(path);
        return text;
      },
      async write(path, text) {
        const hash = ORIGINAL.exec(path)?.[1];
        if (hash !== undefined && !files.has(path)) originals.push([hash, text]);
        files.set(path, text);
        enter(path, "file");
      },
      async list(path) {
        const entries = folders.get(path);
        if (!entries) throw missing(path);
        return [...entries].map(([name, kind]) => ({ name, kind }));
      },
      exists: async (path) => files.has(path) || folders.has(path),
      async stat(path) {
        const text = files.get(path);
        if (text === undefined && !folders.has(path)) throw missing(path);
        return { kind: text === undefined ? "dir" : "file", size: text?.length ?? 0, isLink: false };
      },
    },
  };
}
