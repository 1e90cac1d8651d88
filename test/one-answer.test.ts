/** If red: replay, the first screen, the page and install name different savings. */
import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readWhatIf } from "../src/entry/dashboard/watch-replay.ts";
import { reportAnswer } from "../src/entry/person/report-saving.ts";
import { findLastReplay } from "../src/recorded/last-replay.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { writeHomes } from "./support/host-homes.ts";
import { answered, answerOfPi, called, counted, message, rollout, said, toLines } from "./support/host-lines.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import {
  answer,
  boundary,
  createWriter,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
} from "./support/transcript-lines.ts";

const { name } = createTemporaryFolder();
const BASE = 20_000;
const GROWTH = 4000;
const NOW_MS = Date.UTC(2026, 5, 2);

/** A session whose usage is what its client would have been billed: each request reads the one before it, and writes what is new. */
function claudeSession(id: string, { requests = 16, day = "2026-06-01", hasSummary = false } = {}): string {
  const write = createWriter({ cwd: "/ship/work", sessionId: id, timestamp: `${day}T08:00:00.000Z` });
  const exchange = (index: number, context: number, read: number) => [
    answer(`${id}.${index}`, [toolUse(`${id}t${index}`, "Read", { file_path: `lib/part${index}.ts` })], {
      ...{ input_tokens: 0, cache_read_input_tokens: read, cache_creation_input_tokens: context - read },
      output_tokens: 60,
    }),
    toolResult(`${id}t${index}`, `const value${index}0 = ${index};\n`.repeat(60)),
  ];
  const contextAt = (index: number): number => BASE + index * GROWTH;
  const first = Array.from({ length: requests }, (_, index) =>
    exchange(index, contextAt(index), index === 0 ? 0 : contextAt(index - 1)),
  );
  const later = hasSummary
    ? [
        boundary(`l${1 + 2 * requests}`),
        summary("We read lib/part1.ts. The task goes on."),
        ...exchange(requests, BASE + 2000, BASE),
      ]
    : [];
  return toFile(write(prompt("read all of it, and never change lib/part3.ts"), ...first.flat(), ...later));
}

/** The same work in Codex, which names the size of its window and writes no cache. */
function codexSession(requests: number): string {
  const contextAt = (index: number): number => BASE + index * GROWTH;
  const exchanges = Array.from({ length: requests }, (_, index) => [
    called(`call_${index}`, "exec_command", { cmd: `cat lib/part${index}.ts` }),
    answered(`call_${index}`, `const value${index}0 = ${index};\n`.repeat(60)),
    counted(contextAt(index), { input: contextAt(index), cached: index === 0 ? 0 : contextAt(index - 1), output: 60 }),
  ]);
  return toLines([
    rollout("session_meta", { id: "0199-long", cwd: "/ship/work", cli_version: "0.142.0", source: "cli" }),
    rollout("turn_context", { cwd: "/ship/work", model: "gpt-5.5" }),
    said("user", "read all of it"),
    ...exchanges.flat(),
  ]);
}

function piSession(requests: number): string {
  const exchanges = Array.from({ length: requests }, (_, index) => [
    message(`a${index}`, index === 0 ? "u" : `r${index - 1}`, {
      ...answerOfPi(
        [{ type: "toolCall", id: `t${index}`, name: "bash", arguments: { command: `cat part${index}` } }],
        0,
        0,
      ),
      usage: usageOfPi(index),
    }),
    message(`r${index}`, `a${index}`, {
      ...{ role: "toolResult", toolCallId: `t${index}`, toolName: "bash", isError: false },
      content: [{ type: "text", text: `const value${index}0 = ${index};\n`.repeat(60) }],
    }),
  ]);
  return toLines([
    { type: "session", version: 3, id: "pi-2", timestamp: "2026-06-01T00:00:00.000Z", cwd: "/ship/work" },
    message("u", null, { role: "user", content: [{ type: "text", text: "read all of it" }] }),
    ...exchanges.flat(),
  ]);
}

function usageOfPi(index: number): object {
  const cacheRead = index === 0 ? 0 : BASE + (index - 1) * GROWTH;
  const cacheWrite = BASE + index * GROWTH - cacheRead;
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { input: 0, output: 60, cacheRead, cacheWrite, totalTokens: cacheRead + cacheWrite + 60, cost };
}

function writeHome(): string {
  const home = name("");
  writeHomes(home);
  const sessions = {
    "one/a": claudeSession("a", { hasSummary: true }),
    "one/b": claudeSession("b"),
    "two/c": claudeSession("c", { requests: 60 }),
    "two/old": claudeSession("old", { day: "2025-11-01" }),
  };
  const files: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(sessions).map(([file, text]) => [`.claude/projects/${file}.jsonl`, text])),
    ".codex/sessions/2026/06/01/rollout-2026-06-01T01-00-00-01990000-0000-7000-8000-000000000002.jsonl":
      codexSession(16),
    ".pi/agent/sessions/--ship-work--/2026-06-01_pi-2.jsonl": piSession(16),
  };
  for (const [file, text] of Object.entries(files)) {
    write(home, file, text);
  }
  return home;
}

function write(home: string, file: string, text: string): void {
  const place = path.join(home, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}

async function ask(words: readonly string[], home: string): Promise<string> {
  const surroundings = { environment: { HOME: home }, directory: home, nowMs: () => NOW_MS };
  const { output, remarks, exitCode } = await runPlimsoll(words, surroundings);
  expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
  return output.replace(/\s+/g, " ");
}

interface Client {
  readonly client: string;
  readonly sessions: number;
  readonly savedUsd: number;
}

const SAVING = /saved about \$[\d.]+ of \$[\d.]+ \(\d+ %\)/;

describe("plimsoll replay without arguments", () => {
  it("answers for the last 30 days of every agent, and the first screen, the page and install repeat its figure", async () => {
    const home = writeHome();
    const text = await ask(["replay"], home);
    const [saving = "no figure"] = SAVING.exec(text) ?? [];
    expect(text).toMatch(/^Your last 30 days: with Plimsoll installed /);
    // Policies by their names are for whoever asks for them.
    expect(text).not.toContain("/native");
    expect(await ask([], home)).toContain(saving);
    const whatIf = readWhatIf(findLastReplay({ HOME: home }));
    expect(whatIf.status === "replayed" ? reportAnswer(whatIf) : whatIf.why).toContain(saving);
    expect(await ask(["install", "--classic", "--dry-run"], home)).toContain(saving);
    expect(await ask(["replay", "--all"], home)).toContain("/native");
  });

  it("says that the last days are not replayed yet, instead that they cannot be", async () => {
    const home = writeHome();
    await ask(["replay"], home);
    const added = ".claude/projects/three/new.jsonl";
    write(home, added, claudeSession("new", { day: "2026-08-01" }));
    // The file system's clock ticks every few milliseconds: a session may be as old as the answer that it is not in.
    const replayed = findLastReplay({ HOME: home }) ?? "no answer";
    const { mtime } = statSync(replayed);
    for (const file of [replayed, path.join(home, added)]) utimesSync(file, mtime, mtime);
    const surroundings = { environment: { HOME: home }, directory: home, nowMs: () => Date.UTC(2026, 7, 2) };
    const { output } = await runPlimsoll([], surroundings);
    expect(output).toContain("Savings of these sessions not calculated yet. Run: plimsoll replay");
  });

  it("has the figure of every setting over the same days", async () => {
    const home = writeHome();
    const brief: { clients: readonly Client[]; sessions: readonly object[] } = JSON.parse(
      await ask(["replay", "--json"], home),
    );
    const full: typeof brief = JSON.parse(await ask(["replay", "--all", "--since", "30d", "--json"], home));
    const savings = ({ clients }: typeof brief) => clients.filter(({ client }) => client !== "Gemini CLI");
    const replayed = brief.clients.filter(({ sessions }) => sessions > 0);
    expect(replayed.map(({ client }) => client).sort()).toEqual(["Claude Code", "Codex", "pi"]);
    for (const { client, savedUsd } of savings(brief))
      expect(savings(full).find((row) => row.client === client)?.savedUsd, client).toBeCloseTo(savedUsd, 9);
    expect(savings(brief).find(({ client }) => client === "Claude Code")?.savedUsd).toBeGreaterThan(0);
    // What was asked about is older sessions, too, only with --all.
    expect(JSON.parse(await ask(["replay", "--all", "--json"], home)).asked).toEqual({
      days: null,
      files: 10,
      waiting: 0,
    });
  });

  it("says the same in a pipe as in a terminal", async () => {
    const [pipe, terminal] = [writeHome(), writeHome()];
    const quiet = (text: string) => text.replaceAll(pipe, "HOME").replaceAll(terminal, "HOME");
    const { output } = await runPlimsoll(["replay"], {
      environment: { HOME: terminal },
      isInteractive: true,
      isTerminal: true,
    });
    expect(quiet(await ask(["replay"], pipe))).toBe(quiet(output.replace(/\s+/g, " ")));
  });

  it("says first how far it has come if the time was not enough, and the first screen knows of it", async () => {
    const home = writeHome();
    let nowMs = NOW_MS;
    const slow = { nowMs: () => (nowMs += 15_000) };
    const { output } = await runPlimsoll(["replay"], { environment: { HOME: home }, ...slow });
    expect(output.replace(/\s+/g, " ")).toMatch(/^So far \d of 8 session files\. Your last 30 days/);
    expect(await ask([], home)).toMatch(/\(\d of 8 session files replayed\)/);
    expect(await ask([], home)).not.toContain("not calculated yet");
  });

  it("puts what the client's own summaries lost next to the price, or says that none is recorded", async () => {
    const home = writeHome();
    const lost = /The summary that your agent wrote in them lost (\d+) of (\d+) facts/;
    const [said = "no loss", count, facts] = lost.exec(await ask(["replay"], home)) ?? [];
    expect(Number(count)).toBeGreaterThan(0);
    expect(Number(facts)).toBeGreaterThanOrEqual(Number(count));
    expect(await ask([], home)).toContain(said);
    expect(await ask(["replay", "--all"], home)).toMatch(
      /they lose [\d.]+ % of what is needed later|no summary of yours/,
    );
    const without = name("");
    write(without, ".pi/agent/sessions/--ship-work--/2026-06-01_pi-2.jsonl", piSession(16));
    expect(await ask(["replay"], without)).toContain("wrote no summary in them");
  });
});
