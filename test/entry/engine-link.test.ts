/** If red: a session loses events or stops when its engine is lost or slow. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import type { On } from "../../src/entry/module/module-api.ts";
import { buildPlugin } from "../client/play.ts";
import { createModuleClient, type ModuleClient } from "../support/module-client.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const plugin = temporary.name("-plugin");
beforeAll(() => buildPlugin(plugin, []));

let client: ModuleClient | undefined;
afterEach(() => client?.close());

/** The module as built, in a folder of its own: each has its own state. */
async function load(engine?: string): Promise<ModuleClient> {
  const folder = temporary.name("-loaded");
  cpSync(plugin, folder, { recursive: true });
  if (engine !== undefined) {
    const file = path.join(folder, "engine/engine.cjs");
    writeFileSync(file, `${engine}\n${readFileSync(file, "utf8")}`);
  }
  const home = temporary.name("-home");
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(path.join(folder, "engine/package.json"), '{"type":"commonjs"}');
  client = createModuleClient(folder, home);
  const built: { register(on: On): void } = await import(pathToFileURL(path.join(folder, "hooks/plimsoll.js")).href);
  built.register(client.on);
  await client.raise("classic.SessionStart", {});
  await client.raise("session.start", {});
  return client;
}

const row = (uuid: string, text: string, entryPoint = "response"): JsonObject => ({
  uuid,
  door: entryPoint,
  message: { type: entryPoint === "response" ? "assistant" : "user", content: [{ type: "text", text }] },
  origin: {},
});
const prompt = (uuid: string, text: string): JsonObject => row(uuid, text, "prompt");
const isOff = (given: ModuleClient): readonly string[] => given.logged.filter((line) => line.includes("is off"));
const stateOf = ({ env }: ModuleClient): string => {
  const folder = ".claude/data/plimsoll/sessions/11111111-1111-4111-8111-111111111111/module-state.json";
  try {
    return readFileSync(path.join(env.get("HOME") ?? "", folder), "utf8");
  } catch {
    return "";
  }
};

describe("the module and a real engine", () => {
  it("carries on with every event, in order, also when they come all at once", async () => {
    const given = await load();
    await given.raise("session.append", prompt("p", "Seal it. Never use nails."));
    const rows = Array.from({ length: 40 }, (_, at) =>
      row(`r${at}`, `I decided to use tar ${at} because oil is thin.`),
    );
    const answered = await Promise.all(rows.map((e) => given.raise("session.append", e)));
    expect(answered).toEqual(rows);
    await expect.poll(() => stateOf(given)).toContain("use tar 39");
    const reported = [...stateOf(given).matchAll(/use tar (\d+) because/g)].map(([, at]) => Number(at));
    expect([...new Set(reported)]).toEqual([...new Set(reported)].sort((left, right) => left - right));
    expect(isOff(given)).toEqual([]);
  });

  it("says to nobody else what it knows: a wrong token, none, and other methods are refused", async () => {
    const given = await load();
    await given.raise("session.append", prompt("o", "Look at it."));
    const [url = ""] = given.urls;
    const asked = [
      fetch(url, { method: "POST", headers: { authorization: "guessed" }, body: "{}" }),
      fetch(url, { method: "POST", body: "{}" }),
      fetch(url),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403]);
    const e = prompt("p", "Seal it.");
    expect(await given.raise("session.append", e)).toEqual(e);
  });

  it("waits once for three results, before the next request", async () => {
    const given = await load();
    await given.raise("session.append", prompt("p", "Seal it."));
    const before = given.posts.length;
    for (const id of ["a", "b", "c"]) {
      const e = { tool: "Edit", tool_use_id: id };
      await given.raise("tool.call", e, () => ({ text: "done" }));
      await given.raise("session.append", { ...row(id, "done", "tool-result"), origin: { tool: "Edit" } });
    }
    await given.raise("classic.PostToolBatch", {});
    const events = given.posts.slice(before).map((post) => JSON.parse(post).events);
    const names = (list: readonly JsonObject[] = []): readonly unknown[] => list.map(({ event }) => event);
    const three = Array.from({ length: 3 }, () => ["tool.called", "session.append"]).flat();
    expect(events.flatMap(names)).toEqual([...three, "classic.PostToolBatch"]);
  });

  it("adds a row after a call although rows wait for what comes before them", async () => {
    const given = await load();
    // No prompt has been read yet, so each row waits, ours too.
    await given.raise("session.measure", {});
    const file = path.join(given.env.get("HOME") ?? "", "docs/hull.md");
    const e = { tool: "Write", tool_use_id: "w", file_path: file, content: "Never use tar." };
    await given.raise("tool.call", e, () => ({ result: { filePath: file, type: "create" } }));
    await given.raise("classic.PostToolBatch", {});
    expect(given.posts.some((post) => post.includes("breaks these conventions"))).toBe(true);
    expect(isOff(given)).toEqual([]);
  });

  it("carries a row of 20 MB", async () => {
    const given = await load();
    await given.raise("session.append", prompt("p", "Read it."));
    const large = row("large", "planks ".repeat(3_000_000));
    expect(await given.raise("session.append", large)).toEqual(large);
    expect(isOff(given)).toEqual([]);
  });

  it("gives the client's own failure back as it was, and goes on", async () => {
    const given = await load();
    const fails = (): never => {
      throw new Error("interrupted by the person");
    };
    await expect(given.raise("tool.call", { tool: "Bash", tool_use_id: "t" }, fails)).rejects.toThrow("interrupted");
    const e = prompt("p", "Go on.");
    expect(await given.raise("session.append", e)).toEqual(e);
    expect([given.engines.length, isOff(given)]).toEqual([1, []]);
  });
});

describe("an engine that is lost", () => {
  it("is started again once and knows what came before, each row once; then the session goes on without", async () => {
    const given = await load();
    await given.raise("session.append", prompt("p", "Seal it. Never use nails."));
    await given.raise("session.append", row("a", "I decided to use tar because oil is thin."));
    // The row is on its way or waits; the state that was saved does not have it yet.
    await given.raise("session.append", row("b", "I decided to use oakum because rope is dear."));
    await expect.poll(() => given.posts.some((post) => post.includes("oakum"))).toBe(true);
    process.kill(given.engines[0] ?? 0, "SIGKILL");
    // The next event that comes once the client has noticed.
    await expect
      .poll(async () => {
        await given.raise("session.measure", {});
        return given.engines.length;
      })
      .toBe(2);
    await given.raise("session.append", prompt("q", "And on."));
    await expect.poll(() => stateOf(given)).toContain("And on.");
    for (const words of ["Never use nails.", "tar because", "oakum because"]) expect(stateOf(given)).toContain(words);
    expect(stateOf(given).split('"text":"Seal it. Never use nails."')).toHaveLength(2);
    process.kill(given.engines[1] ?? 0, "SIGKILL");
    await expect.poll(() => isOff(given)).toHaveLength(1);
    const posts = given.posts.length;
    const e = prompt("z", "Alone.");
    expect(await given.raise("session.append", e)).toEqual(e);
    expect(given.posts).toHaveLength(posts);
    expect(given.engines).toHaveLength(2);
  });

  it("goes on after a tool that the person stopped: nothing waits for its answer, and nothing is told off", async () => {
    const given = await load();
    await given.raise("session.append", prompt("p", "Wait for the tide."));
    const stop = new AbortController();
    const call = { tool: "Bash", tool_use_id: "t", command: "sleep 30" };
    const answered = { text: "interrupted", isError: true };
    const result = await given.raise(
      "tool.call",
      call,
      () => {
        stop.abort();
        return answered;
      },
      stop.signal,
    );
    expect(result).toBe(answered);
    // Stopped before the engine has heard of it.
    expect(await given.raise("tool.call", { ...call, tool_use_id: "u" }, () => answered, AbortSignal.abort())).toBe(
      answered,
    );
    await given.raise("session.append", prompt("q", "Never use nails."));
    await expect.poll(() => stateOf(given)).toContain("Never use nails.");
    expect(isOff(given)).toEqual([]);
  });

  it("hears of what came before a call that was stopped, although nothing of that call was sent", async () => {
    const given = await load();
    await given.raise("session.append", prompt("p", "Seal it."));
    await given.raise("session.append", row("a", "I decided to use tar because oil is thin."));
    const call = { tool: "Bash", tool_use_id: "t", command: "sleep 30" };
    await given.raise("tool.call", call, () => ({ text: "" }), AbortSignal.abort());
    await given.raise("session.append", prompt("q", "Go on."));
    await expect.poll(() => stateOf(given)).toContain("tar because");
    expect(stateOf(given)).toContain("Go on.");
    expect(isOff(given)).toEqual([]);
  });

  it("by an answer that is no JSON is given up at once, and said once", async () => {
    const garbage =
      'const http = require("node:http"); const make = http.createServer; http.createServer = () => make((_, response) => response.end("<html>"));';
    const given = await load(garbage);
    const e = prompt("p", "Seal it.");
    expect(await given.raise("session.append", e)).toEqual(e);
    expect(isOff(given)).toHaveLength(1);
    expect(isOff(given)[0]).toContain("Run: plimsoll doctor");
    await expect.poll(() => given.engines.filter(isAlive)).toEqual([]);
  });

  it("leaves the client to compact where it would by itself, also if a compaction was on its way", async () => {
    const line = { window: "50000", percent: "90", own: { percent: "80" } };
    const lowering = JSON.stringify({ of: 1, ops: [{ name: "line", line }], isDone: true, isSame: true });
    const given = await load(
      `const http = require("node:http"); const make = http.createServer; http.createServer = () => make((asked, response) => { let text = ""; asked.on("data", (part) => { text += part; }).on("end", () => response.end(text.includes("Seal it") ? "<html>" : ${JSON.stringify(lowering)})); });`,
    );
    const variables = ["CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"];
    const shown = () => variables.map((name) => given.env.get(name));
    await expect.poll(shown).toEqual(["50000", "90"]);
    await given.raise("session.append", prompt("p", "Seal it."));
    expect(isOff(given)).toHaveLength(1);
    expect(shown()).toEqual([undefined, "80"]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the module as built", () => {
  it("is small enough for a client that parses it at every start", () => {
    expect(readFileSync(path.join(plugin, "hooks/plimsoll.js")).length).toBeLessThanOrEqual(12 << 10);
  });
});
