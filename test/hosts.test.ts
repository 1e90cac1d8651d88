/** If red: a session of another client is read twice, not found, or shown in another client's words. */
import fs, { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isObject, numberField, textField } from "../src/core/json.ts";
import { zeroUsage } from "../src/core/usage.ts";
import { createEngine } from "../src/entry/dashboard/engine.ts";
import { findPlace, findTranscript } from "../src/entry/mcp/place.ts";
import { createServerSession } from "../src/entry/mcp/sessions.ts";
import { findHost, HOSTS, type Hosts, hostOf, scanUsage } from "../src/hosts/catalogue.ts";
import { claudeCode } from "../src/hosts/claude-code/host.ts";
import { followMeasures } from "../src/hosts/follow-transcript.ts";
import type { Host, TranscriptFile } from "../src/hosts/host.ts";
import { emptyTally, type TranscriptEntry } from "../src/hosts/transcript-entry.ts";
import type { Accounts, UsageScan } from "../src/hosts/usage.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "./support/transcript-lines.ts";

const { name } = createTemporaryFolder();

/** A client that writes `{"say": …}`, `{"do": …}` and `{"answer": …, "context": …}`, one to a line, into `notes/*.tiny`. */
const tiny: Host = {
  name: "tiny",
  title: "Tiny",
  program: "tiny",
  renderResume: (sessionId) => `tiny on ${sessionId}`,
  commands: { compact: "/shrink", anew: "/anew" },
  wireFormat: "anthropic",
  isCompactionRequest: () => false,
  headers: { session: "x-tiny", agent: "x-tiny-agent" },
  vocabulary: {
    interpretCall: (tool) => ({ kind: "run", command: tool }),
    interpretResult: claudeCode.vocabulary.interpretResult,
  },
  decidePromptAuthor: () => "person",
  homeVariable: { name: "TINY_HOME", otherwise: "~/.tiny" },
  locateHome: ({ HOME = "" }) => path.join(HOME, ".tiny"),
  findServed: ({ TINY_SESSION: sessionId }) => (sessionId === undefined ? undefined : { project: "", sessionId }),
  readCompactionSettings: () => ({}),
  locateTranscripts: ({ HOME = "" }) => path.join(HOME, ".tiny", "notes"),
  listTranscripts: (root) => listNotes(root),
  listProject: (environment) => listNotes(tiny.locateTranscripts(environment)),
  listSessions: (environment) =>
    new Set(listNotes(tiny.locateTranscripts(environment)).map((file) => tiny.nameSession(file.path))),
  findTranscript: (environment, _project, id) => path.join(tiny.locateTranscripts(environment), `${id}.tiny`),
  nameSession: (file) => path.basename(file, ".tiny"),
  isOwn: (file) => file.endsWith(".tiny"),
  openTranscript: (file) => ({
    read({ onEntry }) {
      const lines = readFileSync(file, "utf8").trimEnd().split("\n");
      for (const [index, line] of lines.entries()) onEntry(readNote(line, index));
      return { tally: { ...emptyTally, lines: lines.length, parsed: lines.length }, unfinishedBytes: 0 };
    },
  }),
  selectConversation: (entries) => entries,
};

function listNotes(root: string): readonly TranscriptFile[] {
  if (!fs.existsSync(root)) return [];
  const files = root.endsWith(".tiny")
    ? [root]
    : fs.readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => path.join(root, name));
  return files
    .filter((file) => file.endsWith(".tiny"))
    .map((file) => {
      const { size: bytes, mtimeMs: modifiedMs } = fs.statSync(file);
      return { path: file, project: "notes", bytes, modifiedMs, isSubagent: false };
    });
}

function readNote(line: string, index: number): TranscriptEntry {
  const note: unknown = JSON.parse(line);
  const fields = isObject(note) ? note : {};
  const origin = `n${index}`;
  const atMs = Date.UTC(2026, 0, 1) + index * 1000;
  const text = (author: "person" | "model", key: string) =>
    ({ kind: "text", id: origin, author, text: textField(fields, key) }) as const;
  const base = { type: "note", uuid: origin, parentUuid: "", logicalParentUuid: "", agentId: "", asides: [] };
  return {
    ...base,
    isSidechain: false,
    isSynthetic: false,
    sessionId: "tiny-1",
    version: "1",
    cwd: "/tiny/work",
    title: "A tiny session",
    events:
      fields.answer === undefined
        ? [
            {
              kind: "arrival",
              origin,
              atMs,
              source: "prompt",
              label: "prompt",
              role: "user",
              block: text("person", "say"),
              detail: undefined,
            },
          ]
        : [
            {
              kind: "output",
              origin,
              atMs,
              stepId: origin,
              model: "claude-opus-4-6",
              usage: { ...zeroUsage, cacheReadTokens: numberField(fields, "context") ?? 0, outputTokens: 10 },
              isOutputFinal: true,
              blocks: [text("model", "answer")],
            },
          ],
  };
}

const BOTH: Hosts = [...HOSTS, tiny];

function createTinyHome() {
  const home = name("");
  const notes = path.join(home, ".tiny", "notes");
  mkdirSync(notes, { recursive: true });
  const file = path.join(notes, "abc.tiny");
  const lines = [{ say: "sail" }, { answer: "aye", context: 20_000 }, { say: "on" }, { answer: "ho", context: 30_000 }];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  return { home, notes, file, environment: { HOME: home } };
}

async function run(words: readonly string[], environment: Record<string, string>, hosts?: Hosts): Promise<string> {
  const ran = await runPlimsoll(words, { environment, directory: "/tiny/work", ...(hosts ? { hosts } : {}) });
  expect([ran.exitCode, ran.remarks]).toEqual([0, ""]);
  return ran.output;
}

describe("another host", () => {
  const { environment, file, notes } = createTinyHome();

  it("is found by its name and by its file, and takes no other's", () => {
    expect([findHost("tiny", BOTH), hostOf(file, BOTH)]).toEqual([tiny, tiny]);
    expect(hostOf("/a/b.jsonl", BOTH)).toBe(claudeCode);
    expect(findHost("tiny")).toBeUndefined();
  });

  it.each([
    ["now", '"usedTokens": 30000'],
    ["inspect", '"contextTokens": 30000'],
    ["health", '"usedTokens": 30000'],
    ["inspect --requests", '"contextTokens": 30000'],
  ])("is what plimsoll %s tells of, without a word of its own there", async (command, figure) => {
    expect(await run([...command.split(" "), "--json"], environment, BOTH)).toContain(figure);
  });

  it("shows its own titles", async () => {
    expect(await run(["now"], environment, BOTH)).toContain("A tiny session");
  });

  it("is in the accounts next to the others'", async () => {
    const text = await run(["stats", "--by", "project", "--json"], environment, BOTH);
    const { rows, totals } = JSON.parse(text);
    expect(rows.map(({ key }: { key: string }) => key)).toEqual(["tiny/work"]);
    expect([totals.requests, totals.cacheReadTokens]).toEqual([2, 50_000]);
    expect(await run(["stats", notes, "--json"], environment, BOTH)).toContain('"requests": 2');
    expect(scanUsage(file, BOTH).lines).toEqual({ read: 4, notAboutUsage: 0, malformed: 0 });
  });

  it("is served where it started the server", () => {
    const place = findPlace({ ...environment, TINY_SESSION: "abc" }, "/tiny/work", BOTH);
    expect([place.host, findTranscript(place)]).toEqual([tiny, file]);
    expect(createServerSession(place).follow()?.meter.steps).toBe(2);
  });
});

/** How often each transcript was opened, and how many bytes were read of it, while something ran. */
async function countReads(
  work: () => Promise<unknown>,
): Promise<ReadonlyMap<string, { opens: number; bytes: number }>> {
  const reads = new Map<string, { opens: number; bytes: number }>();
  const names = new Map<number, string>();
  const { openSync, readSync } = fs;
  Object.assign(fs, {
    openSync: (...words: Parameters<typeof openSync>) => {
      const handle = openSync(...words);
      const name = path.basename(String(words[0]));
      names.delete(handle);
      if (!name.endsWith(".jsonl")) return handle;
      names.set(handle, name);
      const known = reads.get(name) ?? { opens: 0, bytes: 0 };
      reads.set(name, { ...known, opens: known.opens + 1 });
      return handle;
    },
    readSync: (handle: number, ...words: [NodeJS.ArrayBufferView]) => {
      const got = readSync(handle, ...words);
      const known = reads.get(names.get(handle) ?? "");
      if (known) known.bytes += got;
      return got;
    },
  });
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, { openSync, readSync });
    syncBuiltinESMExports();
  }
  return reads;
}

/** The first and the last 256 bytes are read again, to know the file by. */
const FINGERPRINT_BYTES = 512;

function createClientHome() {
  const home = name("");
  const project = claudeCode.locateTranscripts({ HOME: home }, "/tiny/work");
  mkdirSync(project, { recursive: true });
  const content = toFile(
    transcript(
      prompt("one"),
      answer("m1", [toolUse("t1", "Bash")], { cache_read_input_tokens: 20_000 }),
      toolResult("t1", "line\n".repeat(400)),
      answer("m2", ["two"], { cache_read_input_tokens: 21_000 }),
      boundary("l4"),
      summary("what was said"),
      answer("m3", ["three"], { cache_read_input_tokens: 9000 }),
    ),
  );
  const names = ["a", "b", "c"].map((name) => path.join(project, `${name}.jsonl`));
  for (const [index, name] of names.entries()) {
    writeFileSync(name, content);
    fs.utimesSync(name, 1_700_000_000 + index, 1_700_000_000 + index);
  }
  return { home, environment: { HOME: home }, newest: names[2] ?? "", bytes: Buffer.byteLength(content), content };
}

describe("a transcript", () => {
  const { environment, newest, bytes, content } = createClientHome();

  it.each([
    [[], 3],
    [["now"], 3],
    [["now", "--json"], 3],
    [["health"], 1],
    [["inspect", "--json", "--steps"], 1],
    [["preview-compact"], 1],
    [["explain"], 1],
    [["inspect", "--requests"], 1],
    [["receipt"], 1],
    [["stats"], 3],
    [["stats", "summaries"], 3],
    [["stats", "--calibration"], 3],
  ])("is read once by plimsoll %j", async (words, files) => {
    const reads = await countReads(() => run(words, environment));
    const limit = { opens: 1, bytes: bytes + FINGERPRINT_BYTES };
    expect([...reads.values()]).toEqual(Array.from({ length: files }, () => limit));
  });

  it("is decoded once by the page, and what joins it once more as it grows", async () => {
    let nowMs = fs.statSync(newest).mtimeMs + 1000;
    const engine = createEngine({
      environment,
      directory: "/tiny/work",
      roots: [path.dirname(newest)],
      replay: undefined,
      accountsOnly: [],
      nowMs: () => nowMs,
      clockMs: () => nowMs,
    });
    const lines = { parsed: 0 };
    const parse = JSON.parse;
    const settle = (): void => {
      while (engine.advance(1000).hasMore) nowMs += 10;
    };
    JSON.parse = (text: string, ...more: [] | [(key: string, value: unknown) => unknown]) => {
      if (text.includes('"uuid":"l')) lines.parsed++;
      return parse(text, ...more);
    };
    try {
      settle();
      // Three files of seven lines: told live, in the accounts and in the list of sessions.
      const first = lines.parsed;
      fs.appendFileSync(newest, content.replaceAll('"uuid":"l', '"uuid":"lx'));
      fs.utimesSync(newest, nowMs / 1000 + 60, nowMs / 1000 + 60);
      nowMs += 61_000;
      settle();
      expect([first, lines.parsed - first]).toEqual([3 * 7, 7]);
    } finally {
      JSON.parse = parse;
    }
  });

  it("has the same accounts by the narrow scan and by whoever reads all of it", () => {
    expect(followMeasures(hostOf(newest), newest).read().accounts).toEqual(withoutLines(scanUsage(newest)));
  });
});

function withoutLines({ lines: _, ...accounts }: UsageScan): Accounts {
  return accounts;
}
