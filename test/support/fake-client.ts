import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ClientPort } from "../../src/entry/engine/client-port.ts";
import { type Machine, THIS_MACHINE } from "../../src/entry/engine/machine.ts";

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

/** The parts of a map that tests use, on something else below. */
type MapView = Pick<Map<string, string>, "get" | "set" | "has" | "delete" | "keys">;

export interface FakeClient {
  readonly client: ClientPort;
  readonly machine: Machine;
  readonly session: FakeSession;
  /** The person's home on the real disk; the project is in it, unless a test has one of its own. */
  readonly home: string;
  /** Texts of files by their absolute path, on the real disk; as keys, those below the home. */
  readonly files: MapView & Iterable<[string, string]>;
  readonly env: MapView;
  readonly statuses: (string | undefined)[];
  /** Lines on the person's screen, and questions to them. */
  readonly logs: string[];
  readonly asked: string[];
  /** The texts of the rows that were appended. */
  readonly appended: string[];
  readonly forks: string[];
  /** Moves what is there away, and puts a link to it in its place. */
  link(place: string): void;
  /** Puts a file in the place of a folder, or a folder in the place of a file, so that nothing can be written there. */
  block(place: string, kind: "file" | "folder"): void;
}

const homes: string[] = [];
process.once("exit", () => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** The client made up, on the real disk: a home, an environment, and a record of what was asked of it. No module of ours is. */
export function createFakeClient(given: Partial<FakeSession> = {}): FakeClient {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), "plimsoll-home-")));
  homes.push(home);
  const session: FakeSession = {
    id: "5e5510a0-0000-4000-8000-000000000001",
    root: path.join(home, "demo"),
    model: "claude-sonnet-4-6",
    usedTokens: undefined,
    messages: [],
    apiMessages: [],
    fork: undefined,
    ...given,
  };
  if (given.root === undefined) mkdirSync(session.root);
  const variables: Record<string, string> = { HOME: home };
  const env = viewRecord(variables);
  const statuses: (string | undefined)[] = [];
  const logs: string[] = [];
  const asked: string[] = [];
  const appended: string[] = [];
  const forks: string[] = [];

  /** The person's own values, as they are before the first of ours. */
  let own: { readonly window?: string | undefined; readonly percent?: string | undefined } = {};
  const client: ClientPort = {
    plugin: { root: path.join(home, "plugin") },
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
    model: {
      fork: async ({ prompt }) => {
        forks.push(prompt);
        return session.fork;
      },
      forkAside: async ({ prompt }) => {
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
    machine: { ...THIS_MACHINE, env: variables },
    session,
    home,
    files: viewFiles(home),
    env,
    statuses,
    logs,
    asked,
    appended,
    forks,
    link(place) {
      const behind = path.join(mkdtempSync(path.join(home, "behind-")), "it");
      if (existsSync(place)) renameSync(place, behind);
      else mkdirSync(behind);
      mkdirSync(path.dirname(place), { recursive: true });
      symlinkSync(behind, place);
    },
    block(place, kind) {
      rmSync(place, { recursive: true, force: true });
      mkdirSync(kind === "folder" ? place : path.dirname(place), { recursive: true });
      if (kind === "file") writeFileSync(place, "in the way");
    },
  };
}

function viewRecord(record: Record<string, string>): MapView {
  return {
    get: (name) => record[name],
    has: (name) => Object.hasOwn(record, name),
    delete: (name) => delete record[name],
    keys: () => new Map(Object.entries(record)).keys(),
    set: (name, value) => {
      record[name] = value;
      return new Map(Object.entries(record));
    },
  };
}

function viewFiles(home: string): FakeClient["files"] {
  const read = (): Map<string, string> => {
    const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const places = entries.map(({ parentPath, name }) => path.join(parentPath, name));
    return new Map(places.map((place) => [place, readFileSync(place, "utf8")]));
  };
  return {
    get: (place) => (existsSync(place) ? readFileSync(place, "utf8") : undefined),
    has: existsSync,
    delete: (place) => {
      rmSync(place, { force: true });
      return true;
    },
    keys: () => read().keys(),
    set: (place, text) => {
      if (!place.startsWith(realpathSync(tmpdir())))
        throw new Error(`${place} is not in the folder for temporary files`);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text);
      return new Map();
    },
    [Symbol.iterator]: () => read().entries(),
  };
}
