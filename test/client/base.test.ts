/** If red: the tools that nobody uses stay in front of every request, or a tool that is needed cannot be found. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type DeferralFile, locateDeferral, renewDeferral } from "../../src/hosts/claude-code/disk/deferral.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { PLUGIN, type Play, play, resultIn, sent } from "./play.ts";
import { hasTmux, openTui } from "./tui.ts";

const opened: Play[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const SDK = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/sdk/dist/esm/server");
/** Twenty tools with descriptions as people write them, in front because their author says so. */
const SERVER = `import { McpServer } from ${JSON.stringify(`${SDK}/mcp.js`)};
import { StdioServerTransport } from ${JSON.stringify(`${SDK}/stdio.js`)};
const server = new McpServer({ name: "knots", version: "1.0.0" });
for (let tool = 0; tool < 20; tool++) server.registerTool("tie" + tool, { description: "Ties knot " + tool + " of the book. " + "Use it where a line has to hold under load and come loose by hand. ".repeat(8), _meta: { "anthropic/alwaysLoad": true } }, async () => ({ content: [{ type: "text", text: "tied " + tool }] }));
await server.connect(new StdioServerTransport());`;

const BUILT_IN = ["Agent", "ListAgents", "ReportFindings", "ScheduleWakeup", "Skill", "Workflow"];

/** A session whose answers a test sets before each run. */
async function open(servers = 0, settings?: Readonly<Record<string, unknown>>) {
  const script: { replies: readonly Answer[] } = { replies: [] };
  let seen = 0;
  const session = await play({ main: () => script.replies[seen++] ?? answer("Done.") }, settings);
  opened.push(session);
  const names = Array.from({ length: servers }, (_, index) => `knots${index}`);
  await session.workspace.plantFile("server.mjs", SERVER);
  const server = { command: process.execPath, args: [join(session.workspace.cwd, "server.mjs")] };
  const mcpServers = Object.fromEntries(names.map((name) => [name, server]));
  await session.workspace.plantFile(".mcp.json", JSON.stringify({ mcpServers }));
  await session.workspace.writeHome(".claude/settings.json", JSON.stringify({ enableAllProjectMcpServers: true }));
  return {
    ...session,
    script(replies: readonly Answer[]) {
      [script.replies, seen] = [replies, 0];
    },
    /** Runs one prompt; returns its requests. */
    async ask(replies: readonly Answer[] = [], options: Partial<Parameters<Play["run"]>[0]> = {}) {
      [script.replies, seen] = [replies, 0];
      const from = session.api.requests.length;
      const run = await session.run({ prompts: ["Look."], model: "claude-opus-5-5", ...options });
      expect(run.exitCode).toBe(0);
      return { run, requests: session.api.requests.slice(from).filter(({ lane }) => lane === "main") };
    },
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The first request of one session, and 25 more as this client records them, of somebody who uses four tools: 25 requests each. */
async function giveEvidence(session: Opened, sessions = 25): Promise<ApiRequest | undefined> {
  const { run, requests } = await session.ask([answer(call("Bash", { command: "true" }))]);
  const { transcript = "" } = run.sessions[0] ?? {};
  const recorded = await readFile(transcript, "utf8");
  const lines = ["Bash", "Read", "Edit", "Write"].map((name) =>
    recorded
      .split("\n")
      .find((line) => line.includes('{"type":"tool_use",'))
      ?.replace('"name":"Bash"', `"name":"${name}"`),
  );
  for (let copy = 0; copy < sessions; copy++) {
    const more = Array.from({ length: 25 }, (_, index) =>
      lines[index % 4]?.replaceAll(/"id":"msg_[^"]*"/g, `"id":"msg_${copy}_${index}"`),
    );
    const file = transcript.replace(/[^/]{4}\.jsonl$/, `${String(copy).padStart(4, "0")}.jsonl`);
    await writeFile(file, [recorded.trimEnd(), ...more, ""].join("\n"));
  }
  return requests[0];
}

/** As the engine does after the first turn of a session. */
function decide({ workspace }: Opened): Promise<void> {
  return renewDeferral({ HOME: workspace.home }, workspace.cwd, "dense");
}

interface ApiTool {
  readonly name: string;
  readonly defer_loading?: boolean;
}

function toolsIn(request: ApiRequest | undefined): readonly ApiTool[] {
  const { tools = [] }: { readonly tools?: readonly ApiTool[] } = JSON.parse(JSON.stringify(request?.body ?? {}));
  return tools;
}

const frontOf = (request: ApiRequest | undefined) => toolsIn(request).filter(({ defer_loading }) => !defer_loading);
const namesOf = (tools: readonly ApiTool[]) => tools.map(({ name }) => name);

/** What comes before the first answer, in characters: the system prompt, the tools and the first messages. */
function weighBase(request: ApiRequest | undefined): number {
  const { system, messages } = request?.body ?? {};
  return JSON.stringify([system, frontOf(request), messages]).length;
}

/** What the prompt cache reads: all bytes of a request up to the mark on its last message. */
function renderPrefix(request: ApiRequest | undefined, messages = request?.body.messages.length): string {
  const { system, messages: all = [] } = request?.body ?? {};
  const plain = all.slice(0, messages).map(({ role, content }) => ({
    role,
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  }));
  return JSON.stringify([frontOf(request), system, plain], (key, value) =>
    key === "cache_control" ? undefined : value,
  );
}

async function readDecision({ workspace }: Opened): Promise<DeferralFile> {
  return JSON.parse(await readFile(locateDeferral({ HOME: workspace.home }, workspace.cwd), "utf8"));
}

describe("the base of a request", () => {
  it("is 25 % smaller for somebody who uses four tools, names what is behind the search, and stays as it is with keep", async () => {
    const session = await open();
    await giveEvidence(session);
    const [before] = (await session.ask()).requests;
    expect(namesOf(frontOf(before))).toEqual(expect.arrayContaining(BUILT_IN));
    const [after] = (await session.ask()).requests;
    expect(namesOf(frontOf(after)).filter((name) => BUILT_IN.includes(name))).toEqual([]);
    expect(namesOf(frontOf(after))).toEqual(expect.arrayContaining(["Bash", "Read", "Edit", "Write", "ToolSearch"]));
    const share = weighBase(after) / weighBase(before);
    console.log(`base: ${weighBase(before)} to ${weighBase(after)} characters, ${share.toFixed(3)}`);
    expect(share).toBeLessThanOrEqual(0.75);
    for (const name of BUILT_IN)
      expect(sent(after)).toMatch(new RegExp(`Plimsoll moved these tools[^\\n]*\\b${name}\\b`));
    await session.workspace.writeHome(".claude/plimsoll.json", JSON.stringify({ base: "keep" }));
    const [kept] = (await session.ask()).requests;
    expect(JSON.stringify(toolsIn(kept))).toBe(JSON.stringify(toolsIn(before)));
    expect(sent(kept)).not.toContain("Plimsoll moved");
  });

  it("is 50 % smaller with three servers of twenty tools in front that nobody calls; a searched tool works, keeps the cached prefix, and is in front in the next session", async () => {
    const session = await open(3);
    const before = await giveEvidence(session);
    await decide(session);
    expect(namesOf(frontOf(before)).filter((name) => name.startsWith("mcp__knots"))).toHaveLength(60);

    const search = call("ToolSearch", { query: "select:mcp__knots1__tie7,ReportFindings" }, "toolu_search");
    const { requests, run } = await session.ask([answer(search), answer(call("mcp__knots1__tie7", {}, "toolu_tie"))]);
    const [after, searched, tied] = requests;
    const share = weighBase(after) / weighBase(before);
    console.log(`base with three servers: ${weighBase(before)} to ${weighBase(after)} characters, ${share.toFixed(3)}`);
    expect(share).toBeLessThanOrEqual(0.5);
    expect(sent(after)).toContain("mcp__knots1__tie7");
    expect(namesOf(toolsIn(searched))).toEqual(expect.arrayContaining(["mcp__knots1__tie7", "ReportFindings"]));
    expect(resultIn(tied, "toolu_tie")).toContain("tied 7");
    // What is searched for is added behind the mark: everything before it is read from the cache.
    for (const [index, request] of requests.slice(1).entries()) {
      const earlier = requests[index];
      expect(renderPrefix(request, earlier?.body.messages.length)).toBe(renderPrefix(earlier));
    }

    expect(await readDecision(session)).toMatchObject({ returned: ["mcp__knots1__tie7"] });
    // A resumed session goes on with the tools that it began with.
    const [resumed] = (await session.ask([], { resume: run.sessionId })).requests;
    expect(renderPrefix(resumed, tied?.body.messages.length)).toBe(renderPrefix(tied));
    const [next] = (await session.ask()).requests;
    expect(namesOf(frontOf(next)).filter((name) => name.startsWith("mcp__knots"))).toEqual(["mcp__knots1__tie7"]);
  });

  it.skipIf(!hasTmux())("changes at a /clear, where the prefix is new, and names what still waits", async () => {
    const session = await open();
    await giveEvidence(session);
    await decide(session);
    const { api, workspace } = session;
    const from = api.requests.length;
    const report = answer(call("ReportFindings", { level: "low", findings: [] }));
    session.script([report]);
    const args = ["--plugin-dir", PLUGIN];
    const tui = await openTui({ version: "2.1.325", workspace, apiUrl: api.url, args, model: "claude-opus-5-5" });
    const requests = () => api.requests.slice(from).filter(({ lane }) => lane === "main");
    try {
      await tui.say("Look.");
      await tui.until("Done.");
      await tui.say("/clear");
      await expect.poll(() => tui.screen()).not.toContain("Done.");
      await tui.say("Look again.");
      await tui.until("Done.");
    } finally {
      tui.close();
    }
    const [first, second, cleared] = requests();
    expect(namesOf(frontOf(first)).filter((name) => BUILT_IN.includes(name))).toEqual([]);
    expect(renderPrefix(second, first?.body.messages.length)).toBe(renderPrefix(first));
    expect(namesOf(frontOf(cleared)).filter((name) => BUILT_IN.includes(name))).toEqual(["ReportFindings"]);
    expect(sent(cleared)).toMatch(/Plimsoll moved these tools[^\n]*\bWorkflow\b/);
  });
});
