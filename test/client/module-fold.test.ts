/** If red: with the module large results are not folded, or do not come back byte for byte. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { bodyOf } from "../support/recalled.ts";
import { type Play, play, resultIn } from "./play.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const opening = await play(...given);
  opened.push(opening);
  return opening;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const HANDLE = /plimsoll:[0-9a-f]{12}/;
const WARNING = "warning: deprecated call in src/hull.ts:12";

/** About 25,000 characters of a build with one line in it that matters. */
function buildLog(): string {
  const lines = Array.from({ length: 530 }, (_, index) => `[${index}] compiled plank number ${index} without a word`);
  return [...lines.slice(0, 300), WARNING, ...lines.slice(300)].join("\n");
}

describe("the module folds what is stored", () => {
  it("[R55] shows a long output as a preview with its warning, and gives every byte of it back through recall", async () => {
    const log = buildLog();
    const session = await open(
      {
        main: (request, step) => {
          if (step === 0) return answer(call("Bash", { command: "cat build.log" }));
          const handle = HANDLE.exec(JSON.stringify(request.body.messages))?.[0] ?? "none";
          return step === 1 ? answer(call("mcp__plimsoll__recall", { handle })) : answer("Sound.");
        },
      },
      { policy: "thrifty" },
    );
    await session.workspace.writeFile("build.log", log);
    const run = await session.run({ prompts: ["Is the build sound?"] });

    expect(run.exitCode).toBe(0);
    const folded = resultIn(session.api.requests[1], "toolu_main_0_0");
    expect(folded).toContain("[FOLDED: Bash output");
    expect(folded).toContain(WARNING);
    expect(folded.length).toBeLessThanOrEqual(1200);
    expect(bodyOf(resultIn(session.api.requests.at(-1), "toolu_main_1_0"))).toBe(log);
    const file = /\.plimsoll\/artifacts\/\S+\.md/.exec(folded)?.[0] ?? "";
    expect(await readFile(join(session.workspace.cwd, file), "utf8")).toContain(log);
    expect((await session.actions()).filter(({ kind }) => kind === "folded")).toHaveLength(1);
  });

  it("leaves a file that was read whole, however large: the model goes on from what it reads", async () => {
    const ordinary = Array.from({ length: 200 }, (_, index) => `const plank${index} = ${index};`).join("\n");
    const large = Array.from({ length: 1200 }, (_, index) => `export const plank${index} = "oak ${index}";`).join("\n");
    const session = await open(
      {
        main: (_, step) => {
          if (step === 0)
            return answer(
              call("Read", { file_path: join(session.workspace.cwd, "ordinary.ts") }),
              call("Read", { file_path: join(session.workspace.cwd, "large.ts") }),
            );
          return answer("Read.");
        },
      },
      { policy: "thrifty" },
    );
    await session.workspace.writeFile("ordinary.ts", ordinary);
    await session.workspace.writeFile("large.ts", large);
    await session.run({ prompts: ["Read both."] });

    expect(resultIn(session.api.requests[1], "toolu_main_0_0")).toContain("const plank199 = 199;");
    expect(resultIn(session.api.requests[1], "toolu_main_0_1")).toContain('export const plank1199 = "oak 1199";');
  });

  it("folds what an MCP server answers", async () => {
    const session = await open(
      { main: (_, step) => (step === 0 ? answer(call("mcp__deck__log", {})) : answer("Read.")) },
      { policy: "thrifty" },
    );
    const { workspace } = session;
    await workspace.writeFile("server.mjs", MCP_SERVER);
    await workspace.writeFile(
      ".mcp.json",
      JSON.stringify({
        mcpServers: { deck: { type: "stdio", command: process.execPath, args: [join(workspace.cwd, "server.mjs")] } },
      }),
    );
    await workspace.writeHome(".claude/settings.json", JSON.stringify({ enableAllProjectMcpServers: true }));
    await session.run({ prompts: ["What does the deck's log say?"] });

    const folded = resultIn(session.api.requests[1], "toolu_main_0_0");
    expect(folded).toContain("[FOLDED: mcp__deck__log output");
    expect(folded).toContain("ERROR: bilge pump stopped");
  });

  it("folds and keeps what an MCP server said where the client put the answer away as JSON", async () => {
    const session = await open({
      main: (_, step) => (step === 0 ? answer(call("mcp__deck__log", {})) : answer("Read.")),
    });
    const { workspace } = session;
    await workspace.writeFile("server.mjs", MCP_SERVER.replace("length: 400", "length: 2500"));
    await workspace.writeFile(
      ".mcp.json",
      JSON.stringify({
        mcpServers: { deck: { type: "stdio", command: process.execPath, args: [join(workspace.cwd, "server.mjs")] } },
      }),
    );
    await workspace.writeHome(".claude/settings.json", JSON.stringify({ enableAllProjectMcpServers: true }));
    await session.run({ prompts: ["What does the log say?"], env: { MAX_MCP_OUTPUT_TOKENS: "100000" } });

    const folded = resultIn(session.api.requests[1], "toolu_main_0_0");
    expect(folded).toContain("[FOLDED: mcp__deck__log output — 2501 lines");
    expect(folded).toContain("2501: ERROR: bilge pump stopped");
    const file = /\.plimsoll\/artifacts\/\S+\.md/.exec(folded)?.[0] ?? "";
    const kept = await readFile(join(workspace.cwd, file), "utf8");
    expect(kept).toContain("deck plank 0 swabbed and dry\ndeck plank 1 swabbed");
    expect(kept).not.toContain('"type"');
  });

  it("shows by default what is above 4,000 characters in 1,500, and leaves what is below whole", async () => {
    const session = await open({
      main: (_, step) =>
        step === 0
          ? answer(call("Bash", { command: "seq 1 1000" }), call("Bash", { command: "seq 1 1100" }))
          : answer("Counted."),
    });
    await session.run({ prompts: ["Count the seams."] });

    expect(resultIn(session.api.requests[1], "toolu_main_0_0")).toContain("\n999\n1000");
    const folded = resultIn(session.api.requests[1], "toolu_main_0_1");
    expect(folded).toContain("[FOLDED: Bash output");
    expect(folded.length).toBeLessThanOrEqual(1500);
  });

  it("looks into an output that the client itself put away, instead of showing its first lines", async () => {
    const session = await open({
      main: (_, step) =>
        step === 0
          ? answer(call("Bash", { command: "seq 1 7000; echo 'error: seam 7001 leaks'; seq 7002 14000" }))
          : answer("It leaks."),
    });
    await session.run({ prompts: ["Count the seams."] });

    const folded = resultIn(session.api.requests[1], "toolu_main_0_0");
    expect(folded).toContain("error: seam 7001 leaks");
    expect(folded).not.toContain("<persisted-output>");
  });

  it("leaves an error whole", async () => {
    const session = await open({
      main: (_, step) => (step === 0 ? answer(call("Bash", { command: "seq 1 1500; exit 3" })) : answer("It failed.")),
    });
    await session.run({ prompts: ["Try it."] });

    const failed = resultIn(session.api.requests[1], "toolu_main_0_0");
    expect(failed).not.toContain("[FOLDED");
    expect(failed.length).toBeGreaterThan(5000);
  });

  it("keeps ignored folders out of the window and says how to let them in", async () => {
    const session = await open({
      main: (_, step) =>
        step === 0 ? answer(call("Bash", { command: "true; cat node_modules/oak/index.js" })) : answer("Refused."),
    });
    await session.workspace.writeFile("node_modules/oak/index.js", "module.exports = 1;\n");
    await session.run({ prompts: ["Look at the oak."] });

    const refused = resultIn(session.api.requests[1], "toolu_main_0_0");
    expect(refused).toContain("node_modules");
    expect(refused).not.toContain("module.exports");
  });
});

/** The least of an MCP server over stdio: one tool that says a lot. */
const MCP_SERVER = `
import { createInterface } from "node:readline";
const lines = Array.from({ length: 400 }, (_, i) => "deck plank " + i + " swabbed and dry").concat("ERROR: bilge pump stopped");
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "deck", version: "1" } });
  else if (method === "tools/list") say(id, { tools: [{ name: "log", description: "The deck's log", inputSchema: { type: "object" } }] });
  else if (method === "tools/call") say(id, { content: [{ type: "text", text: lines.join("\\n") }] });
  else if (id !== undefined) say(id, {});
});
`;
