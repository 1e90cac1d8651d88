import type { JsonObject } from "../../../../src/core/json.ts";
import { sha256 } from "../../../../src/core/sha256.ts";
import type { ClientPort } from "../../../../src/entry/engine/client-port.ts";
import type { Machine } from "../../../../src/entry/engine/machine.ts";
import { LEDGER_TOOL, type SessionStore } from "../../../../src/files/artifacts/create-session-store.ts";
import type { ProjectStore } from "../../../../src/files/save-project-state.ts";
import { nameArtifactFile } from "../../../../src/fold/artifact-file.ts";
import { nameHandle } from "../../../../src/fold/marker.ts";

/** What the client is asked about the session that it is in. */
export interface ClientSession {
  readonly root: string;
  model(): string;
  /** What the last request carried; 0 before the first. */
  usedTokens(): number;
  /** The conversation in rows, as the client keeps it. */
  rows(): readonly unknown[];
  /** The same in the form of the API, by which the module tells answers apart. */
  messages(): readonly unknown[];
  /** The last line of its transcript: what the answer before used. */
  transcript(): string;
  /** A row that the module adds to the conversation. */
  append(content: readonly JsonObject[]): void;
}

export interface MemoryClient {
  readonly client: ClientPort;
  readonly machine: Machine;
  readonly env: Map<string, string>;
  /** The texts that were put away since this was asked last, by their hash. */
  takeOriginals(): readonly (readonly [hash: string, text: string])[];
}

/** The client without a client: an environment and files in memory, and nobody who is asked anything. */
export function createMemoryClient(session: ClientSession, nowMs: () => number): MemoryClient {
  const env = new Map([["HOME", "/home/nobody"]]);
  const { store, takeOriginals } = createMemoryStore(nowMs);
  const files = createMemoryFiles();
  const set = (name: string, value: string | undefined): void =>
    void (value === undefined ? env.delete(name) : env.set(name, value));
  const client: ClientPort = {
    plugin: { root: "/plugin" },
    session: {
      id: async () => "00000000-0000-4000-8000-000000000000",
      root: async () => session.root,
      model: async () => session.model(),
      messages: async (args) => (args?.as === "api" ? session.messages() : session.rows()),
      usage: async () => ({ context: { tokens: session.usedTokens() } }),
      version: async () => ({ version: "" }),
      append: async ({ message }) => session.append(message.content),
    },
    model: { forkAside: async () => undefined, fork: async () => undefined },
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
  const machine = {
    env: viewVariables(env),
    nowMs,
    files,
    readEnd: session.transcript,
    createSessionStore: () => store,
  };
  return { client, machine, env, takeOriginals };
}

/** As they are when they are asked for. */
function viewVariables(env: ReadonlyMap<string, string>): Machine["env"] {
  return new Proxy({}, { get: (_, name) => (typeof name === "string" ? env.get(name) : undefined) });
}

function createMemoryStore(
  nowMs: () => number,
): Pick<MemoryClient, "takeOriginals"> & { readonly store: SessionStore } {
  const texts = new Map<string, string>();
  const archives = new Map<string, string>();
  const names = new Set<string>();
  const paths: string[] = [];
  let originals: (readonly [string, string])[] = [];
  const takeName = (tool: string): string => {
    const generated = new Date(nowMs()).toISOString();
    for (let copy = 1; ; copy++) {
      const name = nameArtifactFile(generated, tool, copy);
      if (names.size < names.add(name).size) return name;
    }
  };
  return {
    takeOriginals() {
      const taken = originals;
      originals = [];
      return taken;
    },
    store: {
      keep({ output, tool }) {
        const text = String(output);
        const hash = sha256(text);
        if (!texts.has(hash)) originals.push([hash, text]);
        texts.set(hash, text);
        const path = `.plimsoll/artifacts/${takeName(tool)}`;
        if (tool !== LEDGER_TOOL) paths.unshift(path);
        return { sha256: hash, handle: nameHandle(hash), path };
      },
      read: (digits) => [...texts].find(([hash]) => hash.startsWith(digits))?.[1],
      own: () => [...texts.keys()].map(nameHandle),
      paths: () => paths,
      isOpen: () => true,
      archive(results) {
        for (const { callId, text } of results) archives.set(callId, text);
        return true;
      },
      archived: (callId) => archives.get(callId),
    },
  };
}

function createMemoryFiles(): ProjectStore {
  const files = new Map<string, string>();
  return {
    async read(path) {
      const text = files.get(path);
      return text === undefined ? undefined : { text };
    },
    list: async (folder) =>
      [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
    async kindOf(place) {
      if (files.has(place)) return "file";
      return [...files.keys()].some((path) => path.startsWith(`${place}/`)) ? "folder" : undefined;
    },
    async write(path, text) {
      files.set(path, text);
    },
    async append(path, text) {
      files.set(path, (files.get(path) ?? "") + text);
      return true;
    },
    async remove(path) {
      files.delete(path);
    },
    alone: (_, run) => run(),
  };
}
