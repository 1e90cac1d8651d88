/** If red: a session suffers from an engine that is missing, old, hung or killed, or an engine outlives its client. */

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import type { Reply, Scenario } from "../api/scenario.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { needs } from "../support/needs.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { fetchClient } from "./fetch-client.ts";
import { canMount } from "./hard-places.ts";
import { buildPlugin, type Play, type PlayOptions, play, resultIn, sent } from "./play.ts";
import type { ClientResult } from "./run-client.ts";

/** The ways in which the engine's process can fail: the session goes on, nothing is lost, and nothing stays behind. */

const withProc = needs(process.platform === "linux", "processes are looked up in /proc");
const onMounts = needs(canMount(), "no mounts can be made here");
const temporary = createTemporaryFolder();
const plugin = temporary.name("-plugin");
const ENGINE = "engine/engine.cjs";
const TOOL = "mcp__plimsoll__recall";
const LONG = call("Bash", { command: "seq 1 4000" });

/** The same, with less patience for an engine that hangs as it starts, or later. */
const [impatientAtStart, impatient] = [temporary.name("-impatient"), temporary.name("-impatient")];
const LINK = "src/entry/module/engine-link.ts";

beforeAll(async () => {
  await buildPlugin(plugin, []);
  await buildPlugin(impatientAtStart, [{ file: LINK, name: "START_LIMIT_S", code: "4" }]);
  await buildPlugin(impatient, [{ file: LINK, name: "LIMIT_S", code: "6" }]);
});

let session: Play | undefined;
async function open(scenario: Scenario, settings?: Readonly<Record<string, unknown>>): Promise<Play> {
  session = await play(scenario, settings);
  return session;
}
afterEach(async () => {
  await session?.close();
  session = undefined;
});
afterAll(() => rmSync(plugin, { recursive: true, force: true }));

/** The engines that run for a session's folder. */
function findEngines({ workspace }: Play): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isEngine = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(ENGINE);
        return isEngine && readlinkSync(`/proc/${pid}/cwd`).startsWith(workspace.root);
      } catch {
        return false;
      }
    });
}

function signal(opened: Play, name: NodeJS.Signals): void {
  for (const pid of findEngines(opened)) process.kill(pid, name);
}

/** A plugin of the same files, but with an engine that begins differently. */
function withEngine(source: string, from = plugin): string {
  const folder = temporary.name("-plugin");
  cpSync(from, folder, { recursive: true });
  const file = path.join(folder, ENGINE);
  writeFileSync(file, `${source}\n${readFileSync(file, "utf8")}`);
  return folder;
}

function linesOf({ events }: ClientResult): readonly string[] {
  return events.flatMap(({ subtype, text }) => (subtype === "ui_log" ? [String(text)] : []));
}

const offLines = (run: ClientResult): readonly string[] =>
  linesOf(run).filter((line) => line.includes("Plimsoll is off in this session"));

/** What holds however the engine fails. */
async function expectUnharmed(opened: Play, run: ClientResult, notices: readonly RegExp[] = []): Promise<void> {
  expect(opened.api.requests.flatMap(({ body }) => validateMessages(body))).toEqual([]);
  expect(run.exitCode).toBe(0);
  const lines = offLines(run);
  expect(lines).toEqual(notices.map((line) => expect.stringMatching(line)));
  for (const line of lines) expect(line).toContain("Run: plimsoll doctor");
  await expect.poll(() => findEngines(opened), { timeout: 5_000 }).toEqual([]);
}

const run = (opened: Play, options: PlayOptions): Promise<ClientResult> =>
  opened.run({ plugins: [plugin], timeoutMs: 50_000, ...options });

const isOffered = (opened: Play): readonly boolean[] =>
  opened.api.requests.map(({ body }) => JSON.stringify(body).includes(TOOL));

/** A session that folds nothing and offers nothing: what the client sends is its own. */
async function expectWithoutUs(options: PlayOptions, notices: RegExp): Promise<void> {
  const opened = await open({ main: [answer(LONG), answer("Counted.")] });
  const ran = await run(opened, options);
  await expectUnharmed(opened, ran, [notices]);
  expect(resultIn(opened.api.requests[1], "toolu_main_0_0")).toContain("\n4000");
  expect(isOffered(opened)).toEqual([false, false]);
}

/** A folder for PATH in which a program of this name runs a script. */
function programs(name: string, script: string): string {
  const folder = temporary.name("-bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), script);
  chmodSync(path.join(folder, name), 0o755);
  return folder;
}

/** The commands that the client needs, without a Node. */
function withoutNode(): string {
  const folder = temporary.name("-bin");
  mkdirSync(folder, { recursive: true });
  for (const name of ["sh", "bash", "seq", "kill", "cat", "sleep", "env", "uname", "git"])
    try {
      const found = execFileSync("which", [name], { encoding: "utf8" }).trim();
      writeFileSync(path.join(folder, name), `#!/bin/sh\nexec ${found} "$@"\n`, { mode: 0o755 });
    } catch {
      // Not on this machine, and then not needed either.
    }
  // The interpreter of these scripts is named by its path.
  return folder;
}

it("the client accepts the module that is built: each of its calls is spelled", async () => {
  const client = await fetchClient("2.1.325");
  const HOME = temporary.name("-home");
  mkdirSync(HOME, { recursive: true });
  const env = { HOME, PATH: process.env.PATH ?? "" };
  expect(execFileSync(client, ["plugin", "validate", plugin], { env, encoding: "utf8" })).toContain(
    "Validation passed",
  );
});

withProc.describe("without an engine the client is as without us", () => {
  it("no Node on PATH", () =>
    expectWithoutUs(
      { prompts: ["Count."], env: { PATH: withoutNode() } },
      /needs Node 20 or later, and "node" could not/,
    ));

  it("a Node that is too old", () => {
    const old = `#!/bin/sh\nexec ${process.execPath} -e 'Object.defineProperty(process, "versions", { value: { node: "18.20.4" } }); Object.defineProperty(process, "version", { value: "v18.20.4" }); require(process.argv[1])' "$@"\n`;
    const PATH = `${programs("node", old)}:/usr/bin:/bin`;
    return expectWithoutUs({ prompts: ["Count."], env: { PATH } }, /needs Node 20 or later, and .* is v18\.20\.4/);
  });

  it("an engine that crashes at start, twice", () =>
    expectWithoutUs({ prompts: ["Count."], plugins: [withEngine("throw new Error('broken');")] }, /crashed twice/));

  it("an engine that says nonsense as it starts", () =>
    expectWithoutUs({ prompts: ["Count."], plugins: [withEngine("console.log('{nonsense');")] }, /cannot be read/));

  it("an engine that hangs as it starts", () =>
    expectWithoutUs(
      {
        prompts: ["Count."],
        plugins: [withEngine("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);", impatientAtStart)],
      },
      /did not start/,
    ));

  it("an engine of another version, since the plugin was updated", () =>
    expectWithoutUs(
      { prompts: ["Count."], plugins: [withEngine("console.log(JSON.stringify({ format: 0, port: 1 }));")] },
      /was updated, so start a new session/,
    ));
});

withProc.describe("an engine that listens and cannot read the rest of its code", () => {
  it("crashes twice, and every result stays whole", async () => {
    const folder = temporary.name("-plugin");
    cpSync(plugin, folder, { recursive: true });
    writeFileSync(path.join(folder, "engine/engine-events.cjs"), "throw new Error('half written');");
    const opened = await open({ main: [answer(LONG), answer("Counted.")] });
    const ran = await run(opened, { prompts: ["Count."], plugins: [folder] });
    await expectUnharmed(opened, ran, [/crashed twice/]);
    expect(resultIn(opened.api.requests[1], "toolu_main_0_0")).toContain("\n4000");
  });
});

withProc.describe("an engine is found and kept", () => {
  it("by the path that install wrote down, where PATH has no Node; no proxy sees what goes to it", async () => {
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(502).end();
    });
    proxy.on("connect", (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    try {
      const opened = await open({ main: [answer(LONG), answer("Counted.")] });
      await opened.workspace.writeHome(".claude/data/plimsoll/node", `${process.execPath}\n`);
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const env = { PATH: withoutNode(), HTTP_PROXY: url, http_proxy: url };
      const ran = await run(opened, { prompts: ["Count."], env });
      await expectUnharmed(opened, ran);
      expect(sent(opened.api.requests[1])).toContain("[FOLDED: Bash output");
      expect(seen).toEqual([]);
    } finally {
      proxy.close();
    }
  });

  it("through /clear, a plugin folder that is replaced, and a resume: one process each", async () => {
    const folder = temporary.name("-plugin");
    cpSync(plugin, folder, { recursive: true });
    const pids: (readonly number[])[] = [];
    const main = (_: unknown, at: number): Reply => {
      pids.push(findEngines(opened));
      if (at === 1) writeFileSync(path.join(folder, "engine/engine-main.cjs"), "throw new Error('half written');");
      return at % 2 === 0 ? answer(LONG) : answer("Counted.");
    };
    const opened = await open({ main });
    const first = await run(opened, { prompts: ["Count.", "/clear", "Again."], plugins: [folder] });
    await expectUnharmed(opened, first);
    expect(pids.map((list) => list.length)).toEqual([1, 1, 1, 1]);
    expect(new Set(pids.flat()).size).toBe(1);
    expect(sent(opened.api.requests[3])).toContain("[FOLDED: Bash output");
    const second = await run(opened, { prompts: ["And on."], resume: first.sessionId });
    await expectUnharmed(opened, second);
  });

  it("next to another session of the same project", async () => {
    const opened = await open({
      main: (request) => (JSON.stringify(request.body).includes("tool_result") ? answer("Counted.") : answer(LONG)),
    });
    const runs = await Promise.all(["One.", "Two."].map((prompt) => run(opened, { prompts: [prompt] })));
    for (const ran of runs) await expectUnharmed(opened, ran);
    expect(opened.api.requests.filter((request) => sent(request).includes("[FOLDED: Bash output"))).toHaveLength(2);
  });
});

withProc.describe("an engine that is lost in mid-session", () => {
  it("is started again once, with its state: what was told is not told again, and later results are folded", async () => {
    let killed = 0;
    const opened = await open({
      main: (_, at) => {
        if (at === 1) {
          killed = findEngines(opened)[0] ?? 0;
          signal(opened, "SIGKILL");
        }
        return at < 3 ? answer(`I decided to use tar number ${at} because oil is thin.`, LONG) : answer("Done.");
      },
    });
    await opened.workspace.writeFile(".plimsoll/rules/tar.md", "Tar every seam twice.");
    const ran = await run(opened, { prompts: ["Count. Never use nails.", "And on."] });
    await expectUnharmed(opened, ran);
    expect(killed).toBeGreaterThan(0);
    const last = opened.api.requests.at(-1);
    expect(sent(last).split("Tar every seam twice.")).toHaveLength(2);
    expect(sent(last).split("[FOLDED: Bash output").length - 1).toBeGreaterThanOrEqual(2);
    const file = `.claude/data/plimsoll/sessions/${ran.sessionId}/module-state.json`;
    const state = await opened.workspace.readHome(file);
    for (const words of ["Never use nails.", "tar number 0", "tar number 1", "tar number 2", "And on."])
      expect(state).toContain(words);
    expect(state.split('"text":"Count. Never use nails."')).toHaveLength(2);
    expect((await opened.audit({ mayRewind: false })).invalid).toEqual([]);
  });

  it("twice is off, said once, and the client compacts by its own values again", async () => {
    const opened = await open(
      {
        main: (_, at) => {
          if (at === 1 || at === 3) signal(opened, "SIGKILL");
          return at < 5
            ? answer(`Row ${at}.`, LONG, call("Bash", { command: "sleep 1; env | grep COMPACT; true" }))
            : answer("Done.");
        },
      },
      { lineTokens: 20_000 },
    );
    const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "180000" };
    const ran = await run(opened, { prompts: ["Count."], env });
    await expectUnharmed(opened, ran, [/crashed twice/]);
    const last = opened.api.requests.at(-1);
    expect(resultIn(last, "toolu_main_4_2").trim()).toBe("CLAUDE_CODE_AUTO_COMPACT_WINDOW=180000");
    expect(resultIn(last, "toolu_main_4_1")).toContain("\n4000");
  });

  it("by hanging costs its limit once, and the session goes on without it", async () => {
    const opened = await open({
      main: (_, step) => {
        if (step === 1) signal(opened, "SIGSTOP");
        return step < 4 ? answer(LONG) : answer("Done.");
      },
    });
    const ran = await run(opened, { prompts: ["Count."], plugins: [impatient] });
    // Once: whoever waits for an engine a second time says so a second time.
    await expectUnharmed(opened, ran, [/did not answer for 6 seconds/]);
    expect(resultIn(opened.api.requests.at(-1), "toolu_main_3_0")).toContain("\n4000");
  });

  onMounts.it("by a full disk costs its memory, and no request", async () => {
    const opened = await open({ main: [answer(LONG), answer("Counted."), answer("More.")] });
    const folder = "$HOME/.claude/data";
    const fill = `mount -t tmpfs -o size=4k tmpfs "${folder}" && head -c 64k /dev/zero > "${folder}/filler"`;
    const wrap = ["unshare", "-m", "sh", "-c", `mkdir -p "${folder}"; ${fill}; exec "$@"`, "sh"];
    const ran = await run(opened, { prompts: ["Count.", "More."], wrap });
    await expectUnharmed(opened, ran);
    expect(opened.api.requests).toHaveLength(3);
  });
});

withProc.describe("no process stays behind a client that is ended", () => {
  it.each(["SIGKILL", "SIGHUP", "SIGTERM"] as const)("by %s", async (name) => {
    const isStarted: boolean[] = [];
    const opened = await open({ main: [answer(call("Bash", { command: "sleep 20" }))] });
    const running = run(opened, {
      prompts: ["Wait.", "More."],
      wrap: ["bash", "-c", 'echo $$ > "$0"; exec "$@"', path.join(opened.workspace.root, "pid")],
      timeoutMs: 30_000,
    });
    await expect.poll(() => opened.api.requests.length, { timeout: 20_000 }).toBe(1);
    isStarted.push(findEngines(opened).length === 1);
    process.kill(Number(readFileSync(path.join(opened.workspace.root, "pid"), "utf8")), name);
    await running;
    await wait(1);
    expect(isStarted).toEqual([true]);
    await expect.poll(() => findEngines(opened), { timeout: 5_000 }).toEqual([]);
  });
});
