/** If red: plimsoll audit shows a wrong startup context, or starts a project's programs that the person has not approved. */
import { mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  attachment,
  prompt,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import { nameProjectFolder } from "../../../hosts/claude-code/disk/projects.ts";

const temporary = createTemporaryFolder();
const require = createRequire(import.meta.url);
const FILESYSTEM = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const MEMORY = require.resolve("@modelcontextprotocol/server-memory/dist/index.js");

/** A project with two real servers and a broken one, and a session that used one of them. */
function createWorld(sessions: Readonly<Record<string, string>>) {
  const home = temporary.name("");
  const project = path.join(home, "project");
  const records = path.join(home, ".claude", "projects", nameProjectFolder(project));
  for (const folder of [project, records]) mkdirSync(folder, { recursive: true });
  const mcpServers = {
    memory: { command: process.execPath, args: [MEMORY] },
    files: { command: process.execPath, args: [FILESYSTEM, project] },
    broken: { command: process.execPath, args: ["-e", "console.error('no key'); process.exit(1)"] },
  };
  writeFileSync(path.join(project, ".mcp.json"), JSON.stringify({ mcpServers }));
  writeFileSync(path.join(project, "CLAUDE.md"), "- rule\n".repeat(160));
  for (const [name, text] of Object.entries(sessions)) writeFileSync(path.join(records, name), text);
  const environment = { HOME: home, PATH: process.env.PATH };
  return { project, run: (...words: readonly string[]) => runPlimsoll(words, { environment, directory: project }) };
}

const deferred = attachment({ type: "deferred_tools_delta", addedNames: ["mcp__files__read_file", "WebFetch"] });
const session = toFile(
  transcript(
    deferred,
    prompt("Read it."),
    answer("m1", [toolUse("t1", "mcp__files__read_file")], { cache_creation_input_tokens: 41_400 }),
    toolResult("t1", "text"),
    answer("m2", ["Done."], { cache_read_input_tokens: 41_500 }),
  ),
);

describe("plimsoll audit --path", () => {
  it("[R146] names a rules folder that is passed over, until the project has settings of ours", async () => {
    const { project, run } = createWorld({});
    for (const name of ["rules", ".plimsoll"]) mkdirSync(path.join(project, name), { recursive: true });
    writeFileSync(path.join(project, "rules/ropes.md"), "- Coil the ropes.\n");
    expect((await run("audit", "--path", "a.ts")).output).toMatch(/^Not used: rules\/ropes\.md\. .*settings\.json/m);
    writeFileSync(path.join(project, ".plimsoll/settings.json"), "{}");
    const { output } = await run("audit", "--path", "a.ts");
    expect(output).not.toContain("Not used:");
    expect(output).toMatch(/rules\/ropes\.md.*plimsoll trust/);
  });

  it("[R188] lists the instruction files of a path in order, what each adds, and what a session is told", async () => {
    const { project, run } = createWorld({});
    const put = (name: string, text: string): void => {
      mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
      writeFileSync(path.join(project, name), text);
    };
    put("CLAUDE.md", "- Use tabs.\n");
    put("api/CLAUDE.md", "- Never use tabs.\n");
    put("api/pay/CLAUDE.md", "- Use  tabs.\n");
    put("web/CLAUDE.md", "- Use pnpm.\n");
    put(".claude/rules/api.md", "---\npaths: api/**/*.ts\n---\n- Name the route.\n");
    put(".claude/rules/web.md", "---\npaths: web/**\n---\n- Name the page.\n");
    put(".plimsoll/.gitignore", "*\n");
    put(".plimsoll/rules/own.md", "- Reef early.\n");
    const {
      files,
      conflicts,
      told: injected,
    } = JSON.parse((await run("audit", "--path", "api/pay/refund.ts", "--json")).output);
    const names = files.map((file: { path: string }) => path.relative(project, file.path));
    expect(names).toEqual(["CLAUDE.md", "api/CLAUDE.md", "api/pay/CLAUDE.md", ".claude/rules/api.md"]);
    expect(files[2].sameAs).toBe(path.join(project, "CLAUDE.md"));
    expect(conflicts).toEqual([expect.stringMatching(/on "use tabs".*CLAUDE\.md says.*api\/CLAUDE\.md says/)]);
    expect(injected).toContain("plimsoll trust");
    await run("trust", "agree");
    const { output } = await run("audit", "--path", "api/pay/refund.ts");
    expect(output).toContain("4. ");
    expect(output).toMatch(/adds nothing, because it repeats .*CLAUDE\.md/);
    expect(output).toContain("## .plimsoll/rules/own.md\n- Reef early.");
  });
});

describe("plimsoll audit", () => {
  const world = createWorld({ "one.jsonl": session });

  it("[R86] sets the measured baseline next to the formula and the parts, and names what is left", async () => {
    const { exitCode, output, remarks } = await world.run("audit", "--yes", "--json");
    expect({ exitCode, remarks }).toEqual({ exitCode: 0, remarks: "" });
    const audit = JSON.parse(output);
    expect(audit).toMatchObject({
      baselineSource: "recorded",
      tools: 23,
      loading: "deferred",
      requestsPerMonth: 2,
      sessions: 1,
    });
    expect(audit.baselineTokens).toBeGreaterThan(41_300);
    expect(audit.formulaTokens).toBeGreaterThan(23 * 500);
    expect(audit.partsTokens + audit.unexplainedTokens).toBeCloseTo(audit.baselineTokens, 6);
    expect(audit.allLoadedTokens).toBeGreaterThan(audit.allDeferredTokens * 5);
    expect(audit.servers.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`)).toEqual([
      "memory measured",
      "files measured",
      "broken failed",
    ]);
    expect(audit.servers[2]).toMatchObject({ why: "the server exited with status 1", lastError: "no key" });
    expect(audit.servers[1]).toMatchObject({ calls: 1, sessions: 1 });
  });

  it("shows the sections and tools of the recorded prompt, what is behind the tool search, and how a tool comes back", async () => {
    const tool = (name: string, size: number) => ({ name, description: "haul ".repeat(size), schema: {} });
    const tools = [tool("Bash", 600), tool("Agent", 900), tool("mcp__files__read_file", 100)];
    const prompted = attachment({ type: "prompt_snapshot", systemPrompt: ["# Tone\nBe brief."], tools });
    const own = createWorld({ "one.jsonl": session + toFile(transcript(prompted)) });
    const place = path.join(own.project, "../.claude/data/plimsoll/base", `${nameProjectFolder(own.project)}.json`);
    const plain = (await own.run("audit", "--no-start")).output;
    expect(plain).toMatch(/^ {2}Tone +\d+ +\$/m);
    expect(plain).toMatch(/^ {2}Agent +\d.* 0 +in every request$/m);
    expect(plain).toMatch(/^ {2}mcp__files__read_file +\d.* 1 +in every request$/m);
    expect(plain).toContain("Plimsoll moves no tool behind the tool search: this needs 20 sessions with 500 requests.");
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, JSON.stringify({ format: 1, tools: [{ name: "Agent", tokens: 1234 }], returned: [] }));
    const { output } = await own.run("audit", "--no-start");
    expect(output).toMatch(/^ {2}Agent +1\.2k .*behind the tool search$/m);
    expect(output).toMatch(
      /^1 tool behind the tool search: saves 1\.2k tokens a request, .*permissions\.allow.*"base": "keep"/m,
    );
    const { parts, base } = JSON.parse((await own.run("audit", "--no-start", "--json")).output);
    expect(parts.map(({ part }: { part: string }) => part)).toEqual(
      expect.arrayContaining(["system prompt", "built-in tools", "MCP tool schemas"]),
    );
    expect(base.saved.tokens).toBe(1234);
  });

  it("[R87] prints the block, the warnings and the savings", async () => {
    const { output } = await world.run("audit", "--yes");
    expect(output).toContain("### Context Budget\n- **Baseline cost**: ~41k tokens (20.7% of estimated window)");
    expect(output).toContain("- **MCP tools loaded**: 23 across 3 servers");
    expect(output).toContain("Context Budget Warning");
    expect(output).toContain("the file has 160 lines; fewer than 150 are recommended");
    expect(output).toMatch(/Disable memory, if you can do without its 9 tools: saves \d+ tokens a request, \$/);
    expect(output).toContain("broken failed: the server exited with status 1; its last output: no key");
  });

  it("[R78] [R79] [R80] [R81] [R82] [R83] [R84] warns at every limit that a baseline has, and says what would help", async () => {
    const heavy = createWorld({ "one.jsonl": session });
    const put = (name: string, text: string): void => {
      mkdirSync(path.dirname(path.join(heavy.project, name)), { recursive: true });
      writeFileSync(path.join(heavy.project, name), text);
    };
    // Ten of them with nine tools each: one more of either than is still let pass.
    const server = { command: process.execPath, args: [MEMORY] };
    const mcpServers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`memory${index}`, server]));
    put(".mcp.json", JSON.stringify({ mcpServers }));
    put("CLAUDE.md", "- rule\n".repeat(150));
    put(".claude/rules/heavy.md", "weigh every parcel twice and write it down ".repeat(300));
    put(
      ".claude/agents/scribe.md",
      `---\nname: scribe\ndescription: ${"writes it all down ".repeat(120)}\n---\nWrite.\n`,
    );
    put(
      ".claude/skills/rig/SKILL.md",
      `---\nname: rig\ndescription: rigs\n---\n${"haul the halyard and belay it ".repeat(600)}\n`,
    );
    const { output } = await heavy.run("audit", "--yes");
    expect(output).toContain(
      "10 MCP servers; fewer than 10 are recommended\n  fix: disable unused servers in the agent's settings",
    );
    expect(output).toContain(
      "90 MCP tools; fewer than 80 are recommended\n  fix: remove or consolidate the largest servers",
    );
    expect(output).toMatch(
      /CLAUDE\.md:150\n {2}the file has 150 lines; fewer than 150 are recommended\n {2}fix: move detail to files in \.plimsoll\//,
    );
    expect(output).toMatch(/heavy\.md\n {2}the file takes \d+ tokens, more than the recommended 2000/);
    expect(output).toMatch(/the skill rig loads \d+ tokens when it is invoked, more than the recommended 3000/);
    expect(output).toMatch(/the description of the agent scribe takes \d+ tokens, more than the recommended 400/);
    expect(output).toContain("Pass a specific agent type with every agent call");
  });

  it("starts no program of a project that nobody has approved, unless it is told to", async () => {
    const { output } = await world.run("audit", "--json");
    const { servers } = JSON.parse(output);
    expect(servers.map(({ status }: { status: string }) => status)).not.toContain("measured");
    expect(JSON.stringify(servers)).toContain("not approved in the agent");
  });

  it("reaches no address on this machine that nobody has approved, whatever the project says of itself", async () => {
    const { project, run } = createWorld({});
    let asked = 0;
    const server = http.createServer((_, response) => void response.end(String(++asked)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const inside = { type: "http", url: `http://127.0.0.1:${port}/admin`, headers: { key: `\${HOME}` } };
    writeFileSync(path.join(project, ".mcp.json"), JSON.stringify({ mcpServers: { inside } }));
    mkdirSync(path.join(project, ".claude"));
    writeFileSync(path.join(project, ".claude/settings.json"), '{"enableAllProjectMcpServers":true}');
    await run("audit");
    expect(asked).toBe(0);
    await run("audit", "--yes");
    expect(asked).toBeGreaterThan(0);
    server.close();
  });

  it("says of servers that wait for approval one thing once, and claims no total that it has not measured", async () => {
    const { output } = await world.run("audit");
    expect(output.match(/not approved in the agent/g)).toHaveLength(1);
    expect(output).toMatch(
      /^broken, files, memory \(3\) not measured: not approved in the agent, so it was not started; --yes starts it$/m,
    );
    expect(output).toMatch(/^ {2}total +- +- +-/m);
    expect(output).not.toContain("(0 tools)");
  });

  it("starts nothing where it is told to", async () => {
    const { output } = await world.run("audit", "--no-start", "--json");
    const { servers, tools } = JSON.parse(output);
    expect(tools).toBe(0);
    expect(new Set(servers.map(({ status }: { status: string }) => status))).toEqual(new Set(["notMeasured"]));
  });

  it("[R86] estimates where nothing is recorded, and says so", async () => {
    const { output } = await createWorld({}).run("audit");
    expect(output).toMatch(/^Startup context: about /);
    expect(output).toContain("no session is recorded; current agents load tool schemas on demand");
    expect(output).not.toContain("a month");
  });

  it("[R86] claims no baseline where nothing is recorded and nothing configured", async () => {
    const home = temporary.name("");
    mkdirSync(home, { recursive: true });
    const { output } = await runPlimsoll(["audit"], { environment: { HOME: home }, directory: home });
    expect(output).toMatch(/^Startup context: unknown: no session of this project is recorded\n/);
  });

  it("says what is wrong with a project that is not there", async () => {
    expect(await world.run("audit", "--project", "nowhere")).toMatchObject({
      exitCode: 2,
      remarks: "plimsoll: there is no folder nowhere\n",
    });
  });
});
