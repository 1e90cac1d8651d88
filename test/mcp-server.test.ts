/** If red: the built MCP server does not start, or pages an original wrongly. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, describe, expect, it } from "vitest";
import { createFileStore } from "../src/entry/gateway/store/file-store.ts";
import { createArtifactStore } from "../src/files/artifacts/artifacts.ts";
import { nameProjectFolder } from "../src/hosts/claude-code/disk/projects.ts";
import { nameOriginal } from "../src/layers/history/originals.ts";
import { tries } from "./support/depth.ts";
import { bodyOf } from "./support/recalled.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "./support/transcript-lines.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const temporary = createTemporaryFolder();
/** In the long run more than 5 MB. */
const LINES = tries(8_000, 40_000);
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** The server as it is shipped, driven by the official client over its own pipes. */
const PROGRAMS = [
  { name: "the plugin's server", words: [path.join(ROOT, "plugin-classic/dist/mcp.cjs")] },
  { name: "plimsoll mcp", words: [path.join(ROOT, "dist/plimsoll.cjs"), "mcp"] },
] as const;

async function connect(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const project = path.join(temporary.folder, "project");
  const config = path.join(temporary.folder, "claude");
  const folder = path.join(config, "projects", nameProjectFolder(project));
  for (const each of [project, folder]) mkdirSync(each, { recursive: true });
  writeFileSync(path.join(folder, "session-1.jsonl"), toFile(transcript(prompt("Caulk it."), answer("m1", ["Done."]))));
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...words],
    cwd: project,
    stderr: "pipe",
    env: { CLAUDE_CONFIG_DIR: config, CLAUDE_CODE_SESSION_ID: "session-1", ...environment },
  });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [part] = Array.isArray(content) ? content : [];
    return { text: String(part?.text), isError };
  };
  return { client, project, config, call };
}

describe.each(PROGRAMS)("$name", ({ words }) => {
  it("lists five tools, of which only recall is to be loaded up front", async () => {
    const { client } = await connect(words);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["recall", "search", "list", "state", "health"]);
    expect(tools.map(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(client.getServerVersion()).toMatchObject({ name: "plimsoll" });
    expect(client.getInstructions() ?? "").toBe("");
  });

  it(`recalls an original of ${LINES} lines in pages that are those of the original, byte for byte`, async () => {
    const { call, project, config } = await connect(words);
    const output = Array.from({ length: LINES }, (_, line) => `${line} ${"plank ".repeat(10)}tide\t`).join("\n");
    const kept = createArtifactStore(project, Date.now, path.join(config, "data/plimsoll")).keep({
      output,
      tool: "Bash",
      sessionId: "session-1",
    });
    const handle = kept.ok ? kept.value.handle : "";
    const first = (await call("recall", { handle })).text;
    const pages = Number(/\[page 1 of (\d+)/.exec(first)?.[1]);
    const bodies: string[] = [];
    for (let page = 1; page <= pages; page++) {
      const { text } = await call("recall", { handle, page });
      expect(text.length).toBeLessThan(50_000);
      bodies.push(bodyOf(text));
    }
    expect(bodies.join("") === output).toBe(true);
  });

  it("answers the other tools, and a wrong call with words", async () => {
    const { call } = await connect(words);
    expect((await call("search", { query: "caulk" })).text).toContain("person: Caulk it.");
    expect((await call("state")).text).toContain("1 request, ");
    expect((await call("health")).text).toContain("of the load line");
    expect((await call("list")).text).toContain("original");
    expect(await call("recall", { handle: 7 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Give a handle"),
    });
    expect(await call("recall", { handle: "plimsoll:000000000000" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("Nothing is kept"),
    });
    expect(await call("scuttle")).toMatchObject({ isError: true });
  });

  it("lists nothing where the hooks module serves the session already", async () => {
    const { client } = await connect(words, { PLIMSOLL_MODULE: "1" });
    expect((await client.listTools()).tools).toEqual([]);
  });
});

describe("plimsoll mcp --store", () => {
  it("recalls what a gateway has put away, and the project's own before it", async () => {
    const store = path.join(temporary.folder, "gateway");
    const text = "clause 17.4\nsaid through a gateway";
    const handle = nameOriginal(text);
    await createFileStore({ folder: store }).keepOriginals([{ handle, text }]);
    const words = [path.join(ROOT, "dist/plimsoll.cjs"), "mcp"];
    const without = await connect(words);
    expect(await without.call("recall", { handle })).toMatchObject({ isError: true });
    const { call } = await connect([...words, "--store", store]);
    const found = await call("recall", { handle });
    expect(bodyOf(found.text)).toBe(text);
    expect(await call("recall", { handle: "plimsoll:000000000000" })).toMatchObject({ isError: true });
  });
});
