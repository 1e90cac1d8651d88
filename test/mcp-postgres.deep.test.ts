/** If red: recall over MCP cannot read what a gateway stored in its database. */
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../src/entry/gateway/store/postgres-store.ts";
import { calls, lines, person, post, renderBody, results } from "./gateway/conversation.ts";
import { createFolder, openGateway } from "./gateway/open-gateway.ts";
import { hasPostgres, openPostgres, type Postgres } from "./gateway/postgres.ts";
import { openRawApi } from "./gateway/raw-api.ts";
import { needs } from "./support/needs.ts";
import { joinPages } from "./support/recalled.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../dist/plimsoll.cjs");

let database: Postgres;

/** The server as it is shipped, by the official client, over a database. */
async function connect() {
  const client = new Client({ name: "test", version: "1" });
  const args = [PROGRAM, "mcp", "--store", database.url];
  const folder = createFolder();
  const env = { PATH: process.env.PATH ?? "", HOME: folder, CLAUDE_CONFIG_DIR: folder };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: folder, stderr: "pipe" }));
  onTestFinished(() => client.close());
  const recall = async (input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name: "recall", arguments: input });
    const [part] = Array.isArray(content) ? content : [];
    return { text: String(part?.text), isError: isError === true };
  };
  const recallWhole = async (handle: string): Promise<string> => {
    const first = (await recall({ handle })).text;
    const pages = Number(/\[page 1 of (\d+)/.exec(first)?.[1] ?? 1);
    const texts = [first];
    for (let page = 2; page <= pages; page++) texts.push((await recall({ handle, page })).text);
    return joinPages(texts);
  };
  return { recall, recallWhole };
}

/** What a gateway on this database put behind a handle, and the handle as the model saw it. */
async function foldSomething(output: string): Promise<string> {
  const api = await openRawApi();
  const gateway = await openGateway(api.url, { store: createPostgresStore({ url: database.url }) });
  const history = [
    person("Survey the hull."),
    calls(["toolu_1", "Bash", { command: "survey" }]),
    results(["toolu_1", output]),
  ];
  await (await post(gateway.url, renderBody(history))).arrayBuffer();
  return /plimsoll:[0-9a-f]{12}/.exec(String(api.requests[0]?.body))?.[0] ?? "";
}

needs(hasPostgres, "no PostgreSQL that this user can run").describe("plimsoll mcp over a gateway's database", () => {
  beforeAll(async () => {
    database = await openPostgres();
    await migratePostgres(database.url);
  });
  afterAll(() => database?.remove());

  it("gives back what a gateway put away, whole and in part, and says what it does not have", async () => {
    const output = `${lines(400)}\nthe keel, zażółć, \u{1f6a2}`;
    const handle = await foldSomething(output);
    expect(handle).not.toBe("");
    const { recall, recallWhole } = await connect();
    expect(await recallWhole(handle)).toBe(output);
    expect((await recall({ handle, lines: [401, 401] })).text).toContain("the keel, zażółć, \u{1f6a2}");
    expect(await recall({ handle: "plimsoll:000000000000" })).toMatchObject({ isError: true });
  });

  it("says that a database is away, serves on, and gives back what it asked for once it is there again", async () => {
    const output = `${lines(400)}\nthe stern`;
    const handle = await foldSomething(output);
    const { recall, recallWhole } = await connect();
    await database.stop();
    const away = await recall({ handle });
    expect(away.isError).toBe(true);
    expect(away.text).toContain("the store cannot be read now");
    await database.start();
    await expect.poll(() => recallWhole(handle)).toBe(output);
  });
});
