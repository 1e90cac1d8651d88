/** If red: `plimsoll trim` leaves in the requests what it says that it has switched off, or does not bring it back. */

import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { some } from "../support/depth.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { CLIENT_VERSIONS, type ClientVersion } from "./fetch-client.ts";
import { type Play, play } from "./play.ts";

const SDK = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/sdk/dist/esm/server");
const SERVER = `import { writeFileSync } from "node:fs";
import { McpServer } from ${JSON.stringify(`${SDK}/mcp.js`)};
import { StdioServerTransport } from ${JSON.stringify(`${SDK}/stdio.js`)};
const server = new McpServer({ name: "knots", version: "1.0.0" }, { instructions: "HOW-TO-TIE" });
server.registerTool("tie", { description: "Ties." }, async () => ({ content: [] }));
server.server.oninitialized = () => writeFileSync("up-" + process.argv[2], "");
await server.connect(new StdioServerTransport());`;

/** A server that is still starting is not in the first request; one that is switched off is waited for in vain. */
const WAIT = "for i in $(seq 40); do [ -e up-proj ] && [ -e up-user ] && break; sleep 0.2; done; sleep 1; rm -f up-*";

/** What each thing is known by in a request; each is named once by the project, once by the person. */
const MARKS = [
  "mcp__proj",
  "mcp__user",
  "HOW-TO-TIE",
  "PROJ-SKILL",
  "USER-SKILL",
  "PROJ-AGENT",
  "USER-AGENT",
  "PROJ-RULE",
];

let opened: Play | undefined;
afterEach(() => opened?.close());

async function open(): Promise<Play> {
  opened = await play({
    main: (_, index) => (index % 2 === 0 ? answer("I wait.", call("Bash", { command: WAIT })) : answer("Seen.")),
  });
  const { workspace } = opened;
  const server = (name: string) => ({ command: process.execPath, args: [join(workspace.cwd, "server.mjs"), name] });
  await workspace.plantFile("server.mjs", SERVER);
  await workspace.plantFile(".mcp.json", JSON.stringify({ mcpServers: { proj: server("proj") } }));
  await workspace.writeHome(".claude.json", JSON.stringify({ mcpServers: { user: server("user") } }));
  await workspace.writeHome(".claude/settings.json", JSON.stringify({ enableAllProjectMcpServers: true }));
  for (const [put, who] of [
    [workspace.plantFile, "proj"],
    [workspace.writeHome, "user"],
  ] as const) {
    const define = (kind: string): string =>
      `---\nname: ${who}-${kind}\ndescription: ${`${who}-${kind}`.toUpperCase()}\n---\n`;
    await put(`.claude/skills/${who}-skill/SKILL.md`, `${define("skill")}BODY-OF-${who}`);
    await put(`.claude/agents/${who}-agent.md`, `${define("agent")}Work.`);
  }
  const names = ["a", "b", "c", "d", "e"].map((name) => `\`make ${name}\``);
  await workspace.plantFile(".claude/rules/knots.md", `PROJ-RULE ${names.join(" ")}\n`);
  return opened;
}

/** The marks that the last request of a session carries, and the run. */
async function look(session: Play, version: ClientVersion, prompt = "Look.") {
  const run = await session.run({ prompts: [prompt], plugins: [], version });
  const body = JSON.stringify(session.api.requests.at(-1)?.body);
  return { run, body, marks: MARKS.filter((mark) => body.includes(mark)) };
}

describe.each(some(1, CLIENT_VERSIONS))("in the client %s", (version) => {
  it("what plimsoll trim switches off leaves every request, and is back after --undo", async () => {
    const session = await open();
    const { home, cwd } = session.workspace;
    const before = await look(session, version);
    expect(before.marks).toEqual(MARKS);
    const { transcript = "" } = before.run.sessions[0] ?? {};
    for (let copy = 1; copy < 10; copy++)
      await copyFile(transcript, transcript.replace(/[^/]{4}\.jsonl$/, `000${copy}.jsonl`));
    const trim = (...words: readonly string[]) =>
      runPlimsoll(["trim", "--yes", ...words], { environment: { HOME: home }, directory: cwd, nowMs: Date.now });
    expect(await trim("--instructions")).toMatchObject({ exitCode: 0 });
    const after = await look(session, version);
    expect(after.marks).toEqual([]);
    const weighTools = (body: string): number => JSON.stringify(JSON.parse(body).tools).length;
    expect(weighTools(after.body)).toBeLessThanOrEqual(weighTools(before.body));
    expect(after.body.length).toBeLessThan(before.body.length);
    // The person can still ask for a skill that the model is not offered.
    expect((await look(session, version, "/proj-skill")).body).toContain("BODY-OF-proj");
    expect(await trim("--undo")).toMatchObject({ exitCode: 0 });
    expect((await look(session, version)).marks).toEqual(MARKS);
  });
});
