/** If red: with the command hooks large results are not folded, or come back changed; ignored folders are read. */

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/core/sha256.ts";
import type { OwnAction } from "../../src/policy/actions/own-action.ts";
import { parseAction } from "../../src/policy/actions/own-action.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { blocksOf, isRecord } from "../api/messages-body.ts";
import { answer, call } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { STREAMED } from "../api/stream-events.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { createHookProgram } from "../support/hook-program.ts";
import { type ClientVersion, fetchClient } from "./fetch-client.ts";
import { type ClientResult, runClient } from "./run-client.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

/** The newest client without hooks modules. What these hooks do in a later one is shown by `classic-restore` and `laws-classic`. */
const version: ClientVersion = "2.1.197";
const { plugin } = createHookProgram();

const opened: { readonly api: ScriptedApi; readonly workspace: Workspace }[] = [];

interface Stage {
  readonly api: ScriptedApi;
  readonly workspace: Workspace;
  run(args?: readonly string[]): Promise<ClientResult>;
  /** What the model was shown as the result of a call, and what stood next to it. */
  shown(callId: string): { readonly text: string; readonly isError: boolean };
  actions(): Promise<readonly OwnAction[]>;
}

/** The script is told the project's folder: the client's tools want whole paths. */
async function open(main: readonly Reply[] | ((cwd: string) => readonly Reply[])): Promise<Stage> {
  const workspace = await createWorkspace();
  const { home, cwd } = workspace;
  const api = await createScriptedApi({ pace: STREAMED, main: typeof main === "function" ? main(cwd) : main });
  opened.push({ api, workspace });
  let sessionId = "";
  return {
    api,
    workspace,
    async run(args = []) {
      const result = await runClient({
        version,
        prompts: ["Go."],
        model: "claude-sonnet-4-6",
        home,
        cwd,
        apiUrl: api.url,
        args: ["--plugin-dir", plugin, ...args],
      });
      sessionId = result.sessionId;
      return result;
    },
    shown: (callId) => findResult(api.requests, callId),
    async actions() {
      const file = join(home, ".claude/data/plimsoll/sessions", sessionId, "deeds-hook.jsonl");
      const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
      return lines.map((line) => parseAction(line)).filter((action) => action !== undefined);
    },
  };
}

function findResult(requests: readonly ApiRequest[], callId: string): ReturnType<Stage["shown"]> {
  for (const { content } of requests.at(-1)?.body.messages ?? []) {
    for (const block of blocksOf(content)) {
      if (block.type !== "tool_result" || block.tool_use_id !== callId) continue;
      const parts: readonly unknown[] = Array.isArray(block.content) ? block.content : [{ text: block.content }];
      const text = parts.map((part) => (isRecord(part) ? String(part.text ?? "") : "")).join("\n");
      return { text, isError: block.is_error === true };
    }
  }
  throw new Error(`no result of ${callId} was sent`);
}

/** The originals in the project, by their handle, checked against their hash. */
async function readOriginals(workspace: Workspace): Promise<ReadonlyMap<string, string>> {
  const objects = join(workspace.cwd, ".plimsoll/artifacts/objects");
  const names = await readdir(objects, { recursive: true }).catch(() => []);
  const originals = new Map<string, string>();
  for (const name of names.filter((each) => each.length > 64)) {
    const text = await readFile(join(objects, name), "utf8");
    expect(name.endsWith(sha256(text))).toBe(true);
    originals.set(`plimsoll:${sha256(text).slice(0, 12)}`, text);
  }
  return originals;
}

async function expectFolded(stage: Stage, callId: string, original: string): Promise<string> {
  const { text } = stage.shown(callId);
  expect(text).toContain("[FOLDED:");
  expect(text.length).toBeLessThan(3000);
  const handle = /plimsoll:[0-9a-f]{12}/.exec(text)?.[0] ?? "";
  expect((await readOriginals(stage.workspace)).get(handle)).toBe(original);
  return text;
}

afterEach(async () => {
  for (const { api, workspace } of opened.splice(0)) {
    await api.close();
    await workspace.remove();
  }
});

const WARNING = "warning: the hull is only 3 mm thick at frame 12";
const LOG = [
  ...Array.from({ length: 250 }, (_, index) => `step ${index}: planked and caulked without remarks, tide ${index % 7}`),
  WARNING,
  ...Array.from({ length: 200 }, (_, index) => `step ${index + 250}: planked and caulked without remarks`),
].join("\n");

/** 110,000 tokens: YELLOW on a window of 200k. */
const LOADED = { input_tokens: 110_000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

describe("the command hooks in the client 2.1.197", () => {
  beforeAll(async () => {
    await fetchClient(version);
  });

  it("[R55] [R60] shows the model a folded Bash output with its warning, and keeps the original byte for byte", async () => {
    const stage = await open([answer(call("Bash", { command: "cat build.log" }, "toolu_b")), answer("Thin hull.")]);
    expect(LOG.length).toBeGreaterThan(20_000);
    expect(LOG.length).toBeLessThan(30_000);
    await stage.workspace.writeFile("build.log", LOG);
    const run = await stage.run();
    expect(run.events.at(-1)).toMatchObject({ type: "result", subtype: "success" });
    expect(await expectFolded(stage, "toolu_b", LOG)).toContain(WARNING);
    expect(stage.api.requests.flatMap((request) => validateMessages(request.body))).toEqual([]);
    expect((await stage.actions()).filter(({ kind }) => kind !== "ran")).toMatchObject([
      { kind: "folded", tool: "Bash", callId: "toolu_b" },
    ]);
  });

  it("[R60] takes the place of the client's own file for an output that it cut", async () => {
    const stage = await open([
      answer(call("Bash", { command: "cat build.log; cat build.log" }, "toolu_b")),
      answer("Done."),
    ]);
    await stage.workspace.writeFile("build.log", `${LOG}\n`);
    await stage.run();
    const text = await expectFolded(stage, "toolu_b", `${LOG}\n${LOG}\n`);
    expect(text).not.toContain("<persisted-output>");
  });

  it("[R60] folds readings, searches and lists of files in their own shapes", async () => {
    const source = Array.from({ length: 700 }, (_, index) => `export const plank${index} = ${index}; // oak`).join(
      "\n",
    );
    const stage = await open((cwd) => [
      answer(
        call("Read", { file_path: `${cwd}/hull.ts` }, "toolu_r"),
        call("Grep", { pattern: "plank", path: `${cwd}/hull.ts`, output_mode: "content", head_limit: 0 }, "toolu_g"),
        call("Glob", { pattern: "spars/*.txt" }, "toolu_l"),
      ),
      answer(call("Bash", { command: "true" })),
      answer("Done."),
    ]);
    await stage.workspace.writeFile("hull.ts", source);
    for (let index = 0; index < 100; index++)
      await stage.workspace.writeFile(`spars/${"a-spar-with-a-long-name".repeat(2)}-${index}.txt`, "");
    await stage.run(["--tools", "Bash,Read,Grep,Glob"]);
    await expectFolded(stage, "toolu_r", source);
    const hits = source.split("\n").map((line, index) => `${index + 1}:${line}`);
    expect(await expectFolded(stage, "toolu_g", hits.join("\n"))).toContain("plank");
    const listed = stage.shown("toolu_l").text;
    expect(listed).toContain("[FOLDED: Glob output — 100 lines");
    expect((await stage.actions()).filter(({ kind }) => kind === "ignored" || kind === "failed")).toEqual([]);
  });

  it("[R60] folds what an MCP server answers", async () => {
    const stage = await open([
      answer(call("mcp__harbour__log", {}, "toolu_m")),
      answer(call("Bash", { command: "true" })),
      answer("Done."),
    ]);
    await stage.workspace.writeFile("server.mjs", SERVER);
    await stage.workspace.writeFile("log.txt", LOG);
    const config = join(stage.workspace.cwd, "mcp.json");
    const server = { type: "stdio", command: "node", args: [join(stage.workspace.cwd, "server.mjs")] };
    await writeFile(config, JSON.stringify({ mcpServers: { harbour: server } }));
    await stage.run(["--mcp-config", config]);
    expect(await expectFolded(stage, "toolu_m", LOG)).toContain(WARNING);
    // The next call looked into the transcript, and found its fold there.
    expect((await stage.actions()).map(({ kind }) => kind)).not.toContain("ignored");
  });

  it("[R62] shows an error whole, counts it, and asks nothing of the model", async () => {
    const stage = await open([
      answer(call("Bash", { command: "cat build.log | head -c 8000; exit 3" }, "toolu_e")),
      answer("Failed."),
    ]);
    await stage.workspace.writeFile("build.log", LOG);
    const { sessionId } = await stage.run();
    const { text, isError } = stage.shown("toolu_e");
    expect(isError).toBe(true);
    expect(text).toContain(LOG.slice(0, 7990));
    expect((await readOriginals(stage.workspace)).size).toBe(0);
    const folder = join(stage.workspace.home, ".claude/data/plimsoll/sessions", sessionId);
    expect(await readFile(join(folder, "calls.log"), "utf8")).toBe("m\n");
  });

  it("[R150] keeps an ignored folder out of the window, with the reason", async () => {
    const stage = await open([
      answer(call("Bash", { command: "cat node_modules/ship/index.js" }, "toolu_i")),
      answer("Ignored."),
    ]);
    await stage.workspace.writeFile("node_modules/ship/index.js", "module.exports = 'ship';\n");
    await stage.run();
    const { text, isError } = stage.shown("toolu_i");
    expect(isError).toBe(true);
    expect(text).toContain("node_modules");
    expect(text).not.toContain("module.exports");
  });

  it("leaves the person's own hooks and another plugin's as they are", async () => {
    const stage = await open([answer(call("Bash", { command: "cat build.log" }, "toolu_b")), answer("Done.")]);
    const { workspace } = stage;
    await workspace.writeFile("build.log", LOG);
    const hook = (name: string) => ({
      hooks: { PostToolUse: [{ hooks: [{ type: "command", command: `cat > ${join(workspace.root, name)}` }] }] },
    });
    await workspace.writeHome(".claude/settings.json", JSON.stringify(hook("own.json")));
    const other = join(workspace.root, "other");
    await mkdir(join(other, ".claude-plugin"), { recursive: true });
    await mkdir(join(other, "hooks"));
    await writeFile(join(other, ".claude-plugin/plugin.json"), JSON.stringify({ name: "other", version: "1.0.0" }));
    await writeFile(join(other, "hooks/hooks.json"), JSON.stringify(hook("other.json")));
    await stage.run(["--plugin-dir", other]);
    await expectFolded(stage, "toolu_b", LOG);
    for (const name of ["own.json", "other.json"])
      expect(JSON.parse(await readFile(join(workspace.root, name), "utf8"))).toMatchObject({
        hook_event_name: "PostToolUse",
        tool_response: { stdout: LOG },
      });
  });

  it("[R26] tells the model the measured load next to a result", async () => {
    const step = { ...answer(call("Bash", { command: "true" })), usage: LOADED };
    const stage = await open([step, step, answer("Done.")]);
    await stage.run();
    const sent = JSON.stringify(stage.api.requests.at(-1)?.body.messages);
    expect(sent).toMatch(/Context at \d+%\. Load only essential files\. Avoid reading full files when Grep will do\./);
    expect((await stage.actions()).filter(({ kind }) => kind === "injected")).toHaveLength(1);
  });
});

/** An MCP server of one tool, which answers with a file that lies next to it. */
const SERVER = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const log = readFileSync(new URL("log.txt", import.meta.url), "utf8");
const tools = [{ name: "log", description: "The harbour's log", inputSchema: { type: "object", properties: {} } }];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "harbour", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: log }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params ?? {}) ?? {} }));
});
`;
