import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ClientPort } from "../../src/doors/engine/client-port.ts";

/** What the client would answer; a test sets it as it goes. */
interface FakeSession {
  id: string;
  root: string;
  model: string;
  /** What the last request carried; `undefined` before the first. */
  usedTokens: number | undefined;
  /** The conversation as rows, and in the form of the Messages API. */
  messages: unknown;
  apiMessages: unknown;
  /** What the person picks when asked; nobody is there to ask where it is left out. */
  choice?: string;
  /** What a question over the cached conversation is answered with. */
  fork: unknown;
}

export interface FakeClient {
  readonly client: ClientPort;
  readonly session: FakeSession;
  /** Absolute path to text; folders are the beginnings of paths. */
  readonly files: Map<string, string>;
  /** Paths that are symbolic links. */
  readonly links: Set<string>;
  /** Paths that are pipes: who reads one waits for ever. */
  readonly pipes: Set<string>;
  /** Paths that cannot be written. */
  readonly locked: Set<string>;
  readonly env: Map<string, string>;
  /** Everything that was written, in order. */
  readonly writes: string[];
  readonly statuses: (string | undefined)[];
  /** Lines on the person's screen, and questions to them. */
  readonly logs: string[];
  readonly asked: string[];
  /** The texts of the rows that were appended. */
  readonly appended: string[];
  readonly ran: string[];
  readonly forks: string[];
  /** Puts the files onto the real disk, where they say they are. */
  pour(): void;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** The client in memory: a file system, an environment, and a record of what was asked of it. Real answers, no module of ours. */
export function createFakeClient(given: Partial<FakeSession> = {}): FakeClient {
  const session: FakeSession = {
    id: "5e5510a0-0000-4000-8000-000000000001",
    root: "/home/dev/demo",
    model: "claude-sonnet-4-6",
    usedTokens: undefined,
    messages: [],
    apiMessages: [],
    fork: undefined,
    ...given,
  };
  const files = new Map<string, string>();
  const links = new Set<string>();
  const pipes = new Set<string>();
  const locked = new Set<string>();
  const env = new Map<string, string>([["HOME", "/home/dev"]]);
  const writes: string[] = [];
  const statuses: (string | undefined)[] = [];
  const logs: string[] = [];
  const asked: string[] = [];
  const appended: string[] = [];
  const ran: string[] = [];
  const forks: string[] = [];

  const isFolder = (place: string): boolean => [...files.keys()].some((name) => name.startsWith(`${place}/`));

  /** The person's own values, as they are before the first of ours. */
  let own: { readonly window?: string | undefined; readonly percent?: string | undefined } = {};
  const client: ClientPort = {
    plugin: { root: "/plugin" },
    session: {
      id: async () => {
        const [window, percent] = ["CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"].map((name) =>
          env.get(name),
        );
        own = { window, percent };
        return session.id;
      },
      root: async () => session.root,
      model: async () => session.model,
      messages: async (args) => (args?.as === "api" ? session.apiMessages : session.messages),
      usage: async () => ({ context: { tokens: session.usedTokens } }),
      version: async () => ({ version: "2.1.325" }),
      append: async ({ message }) => {
        appended.push(message.content.map(({ text }) => String(text)).join("\n"));
      },
    },
    fs: {
      read: async (place) => {
        if (pipes.has(place)) return new Promise(() => undefined);
        const text = files.get(place);
        if (text === undefined) throw new Error(`ENOENT: ${place}`);
        if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`over 4 MiB: ${place}`);
        return text;
      },
      write: async (place, text) => {
        if (locked.has(place)) throw new Error(`EACCES: ${place}`);
        if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`over 4 MiB: ${place}`);
        writes.push(place);
        // As a disk gives it back: a half of a surrogate pair has no bytes of its own.
        files.set(place, Buffer.from(text).toString());
      },
      list: async (place) => {
        if (!isFolder(place)) throw new Error(`ENOENT: ${place}`);
        const below = [...files.keys()].filter((name) => name.startsWith(`${place}/`));
        const names = new Set(below.map((name) => name.slice(place.length + 1).split("/")[0] ?? ""));
        return [...names].map((name) => ({ name, kind: files.has(`${place}/${name}`) ? "file" : "dir" }));
      },
      exists: async (place) => files.has(place) || pipes.has(place) || isFolder(place),
      stat: async (place) => {
        if (pipes.has(place)) return { kind: "other", size: 0, isLink: false };
        const text = files.get(place);
        if (text === undefined && !isFolder(place) && !links.has(place)) throw new Error(`ENOENT: ${place}`);
        return {
          kind: text === undefined ? "dir" : "file",
          size: Buffer.byteLength(text ?? ""),
          isLink: links.has(place),
        };
      },
    },
    env: { get: async (name) => env.get(name) },
    clock: { after: () => undefined },
    process: {
      run: async (argv) => {
        ran.push(argv.join(" "));
        return { exitCode: 0, stdout: "", stderr: "" };
      },
    },
    model: {
      fork: async ({ prompt }) => {
        forks.push(prompt);
        return session.fork;
      },
    },
    ui: {
      status: (text) => statuses.push(text),
      log: (text) => logs.push(text),
      ask: async (question) => {
        if (session.choice === undefined) throw new Error("no one to ask");
        asked.push(question);
        return session.choice;
      },
      line: (values) => {
        const given = values ?? own;
        for (const [name, value] of [
          ["CLAUDE_CODE_AUTO_COMPACT_WINDOW", given.window],
          ["CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", given.percent],
        ] as const) {
          if (value === undefined) env.delete(name);
          else env.set(name, value);
        }
      },
    },
  };

  return {
    client,
    session,
    files,
    links,
    pipes,
    locked,
    env,
    writes,
    statuses,
    logs,
    asked,
    appended,
    ran,
    forks,
    pour() {
      for (const [place, text] of files) {
        if (!place.startsWith(tmpdir())) throw new Error(`${place} is not in the folder for temporary files`);
        mkdirSync(path.dirname(place), { recursive: true });
        writeFileSync(place, text);
      }
    },
  };
}
