/** If red: commands leave out sessions of other clients, or use words of the wrong client for them. */
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createEngine } from "../src/entry/dashboard/engine.ts";
import { callTool } from "../src/entry/mcp/call-tool.ts";
import { findPlace } from "../src/entry/mcp/place.ts";
import { createServerSession } from "../src/entry/mcp/sessions.ts";
import { HOSTS, listAll, locateAll, nameClient } from "../src/hosts/catalogue.ts";
import type { Host } from "../src/hosts/host.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { HOME_WRITERS, PROJECT } from "./support/host-homes.ts";
import type { Load } from "./support/host-lines.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const { name } = createTemporaryFolder();
/** A minute after the last of the made-up records: the prompt cache is warm. */
const NOW_MS = Date.UTC(2026, 5, 1) + 120_000;

interface Home {
  readonly file: string;
  readonly environment: { readonly HOME: string };
  /** Whether the session is found without being named: a database is not, by a Node that cannot read it. */
  readonly isFound: boolean;
}

function createHome(host: Host, load?: Load): Home {
  const home = name("");
  mkdirSync(home);
  const writer = Object.entries(HOME_WRITERS).find(([writes]) => writes === host.name)?.[1];
  expect(writer, `add ${host.name} to HOME_WRITERS`).toBeDefined();
  const file = writer?.(home, load) ?? "";
  const environment = { HOME: home };
  return { file, environment, isFound: listAll(environment).some((found) => found.path === file) };
}

async function run(words: readonly string[], { environment }: Home) {
  return runPlimsoll(words, { environment, directory: PROJECT, nowMs: () => NOW_MS, columns: 100 });
}

/** Everything that is told of one session: by each command, by the page and by the server, as its reader sees it. */
async function reportAll(host: Host, home: Home): Promise<ReadonlyMap<string, string>> {
  const { environment, file, isFound } = home;
  const reported = new Map<string, string>();
  const ofSession = isFound ? [] : ["--transcript", file];
  const ofFiles = isFound ? [] : [file];
  for (const words of [
    ...["health", "inspect", "state", "summary"].map((command) => [command, ...ofSession]),
    ...(isFound ? [["now"], []] : []),
    ...(host.recordsUsage === false ? [] : [["stats", ...ofFiles]]),
    ["replay", ...(host.recordsUsage === false ? ["--all"] : []), "--policies", "plimsoll", ...ofFiles],
  ]) {
    const { exitCode, output, remarks } = await run(words, home);
    expect([host.name, words, exitCode, remarks]).toEqual([host.name, words, 0, ""]);
    reported.set(words[0] ?? "nothing", output);
  }
  const engine = createEngine({
    ...{ environment, directory: PROJECT, roots: isFound ? locateAll(environment) : [file], replay: undefined },
    ...{ accountsOnly: [], nowMs: () => NOW_MS, clockMs: () => 0 },
  });
  for (let round = 0; round < 20; round++) engine.advance(1000);
  reported.set("page", JSON.stringify([engine.ask({ view: "sessions" }), engine.ask({ view: "spend" })]));
  if (isFound) {
    const served = createServerSession(findPlace(environment, PROJECT));
    for (const tool of ["health", "state"])
      reported.set(`mcp ${tool}`, (await callTool(served, tool, {})).blocks.join("\n"));
  }
  return reported;
}

const ALL_COMMANDS = new Set(HOSTS.flatMap(({ commands }) => Object.values(commands)));

/** What a person or a model is told to type inside a client. */
function findCommands(text: string): readonly string[] {
  return (text.match(/(?<![\w/.~-])\/[a-z]+\b(?![/.])/g) ?? []).filter((word) => ALL_COMMANDS.has(word));
}

describe.each(HOSTS.map((host) => [host.title, host] as const))("a session of %s", (_, host) => {
  const isRecorded = host.recordsUsage !== false;

  it("is told by every command, the page and the server, and by none with words of another client", async () => {
    const reported = await reportAll(host, createHome(host));
    for (const [where, text] of reported) {
      expect(text.trim(), where).not.toBe("");
      expect(text, where).not.toMatch(/NaN|undefined|\[object|Infinity/);
      if (host !== HOSTS[0]) expect(text, where).not.toMatch(/[~/]\.claude\b|Claude Code|claude -|CLAUDE/);
      for (const other of HOSTS.filter((candidate) => candidate !== host && candidate.title.length > 2))
        expect(text, where).not.toContain(other.title);
    }
    expect(reported.get("state")).toContain("sail to the harbour");
    expect(reported.get("summary")).toContain("sail to the harbour");
    const client = nameClient(host);
    if (client !== undefined)
      for (const where of ["now", "health", "page"])
        if (reported.has(where)) expect(reported.get(where)).toContain(client);
  });

  it("has as many requests wherever they are counted", async () => {
    const home = createHome(host);
    const ask = async (...words: readonly string[]) => JSON.parse((await run([...words, "--json"], home)).output);
    const { steps, model } = await ask("health", "--transcript", home.file);
    const { steps: inspected } = await ask("inspect", "--transcript", home.file);
    const state = (await run(["state", "--transcript", home.file], home)).output;
    // Of a branch that was left the requests are paid for, and stand in the conversation no more.
    expect(state.match(/^\d+/)?.[0]).toBe(String(inspected));
    expect(inspected).toBeLessThanOrEqual(steps);
    expect(inspected).toBeGreaterThan(0);
    expect(model).not.toBe("");
    if (isRecorded) expect((await ask("stats", home.file)).totals.requests).toBe(steps);
  });

  it.runIf(isRecorded)("is advised, as it fills up, to type what this client takes", async () => {
    const { windowTokens, compactionPointTokens } = JSON.parse(
      (await run(["health", "--json"], createHome(host))).output || "{}",
    );
    const home = createHome(host, { contextTokens: Math.floor((compactionPointTokens ?? 200_000) * 0.97) });
    if (!home.isFound) return;
    expect(compactionPointTokens).toBeLessThan(windowTokens);
    const reported = await reportAll(host, home);
    expect(reported.get("now")).toContain(`In the agent, run: ${host.commands.compact}`);
    const allowed = new Set(Object.values(host.commands));
    for (const [where, text] of reported)
      expect(
        findCommands(text).filter((word) => !allowed.has(word)),
        where,
      ).toEqual([]);
  });

  it("names itself where sums over several clients are told", async () => {
    const home = createHome(host);
    HOME_WRITERS["claude-code"](home.environment.HOME);
    HOME_WRITERS.pi(home.environment.HOME);
    const { clients, totals } = JSON.parse((await run(["stats", "--json"], home)).output);
    const found = clients.find(({ client }: { client: string }) => client === host.title);
    if (!home.isFound) return expect(found).toBeUndefined();
    expect(found).toMatchObject({ client: host.title, sessions: 1, recordsUsage: isRecorded });
    const sum = (pick: (row: { requests: number; totalUsd: number }) => number): number =>
      clients.reduce((total: number, row: { requests: number; totalUsd: number }) => total + pick(row), 0);
    expect(sum(({ requests }) => requests)).toBe(totals.requests);
    expect(sum(({ totalUsd }) => totalUsd)).toBeCloseTo(totals.totalUsd, 9);
    const { output } = await run(["stats"], home);
    expect(output).toContain(isRecorded ? `${host.title} ` : `1 session of ${host.title}, which records no usage`);
    const { output: first } = await run(["now"], home);
    if (isRecorded) expect(first).toMatch(new RegExp(`By agent: .*${host.title}`));
  });
});

it("counts towards the limits of a subscription what its own client sent, and nothing else", async () => {
  const home = createHome(HOSTS[0]);
  const before = JSON.parse((await run(["now", "--json"], home)).output);
  HOME_WRITERS.codex(home.environment.HOME);
  HOME_WRITERS.pi(home.environment.HOME);
  const after = JSON.parse((await run(["now", "--json"], home)).output);
  expect(after.look.requests).toBeGreaterThan(before.look.requests);
  expect(before.limits.length).toBeGreaterThan(0);
  expect(after.limits).toEqual(before.limits);
});
