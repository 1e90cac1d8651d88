/** If red: plimsoll audit reports wrong sizes for MCP servers, hangs on one, or connects to another machine unasked. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { ServerConfig, ServerTransport } from "../../../hosts/baseline.ts";
import { estimateTextTokens } from "../../../models/tokens.ts";
import { renderToolForApi, weighTools } from "../../../recorded/audit/weigh-tools.ts";
import { type ProbedServer, probeServers } from "./read-audit.ts";

const temporary = createTemporaryFolder();
const require = createRequire(import.meta.url);
const FILESYSTEM = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const EVERYTHING = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");
const MEMORY = require.resolve("@modelcontextprotocol/server-memory/dist/index.js");

function configure(name: string, transport: ServerTransport, more: Partial<ServerConfig> = {}): ServerConfig {
  return {
    name,
    scope: "project",
    file: ".mcp.json",
    transport,
    problem: undefined,
    isDisabled: false,
    isApproved: true,
    ...more,
  };
}

const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ServerTransport => ({
  kind: "stdio",
  command: process.execPath,
  args,
  env,
});

/** A program that is no server, with the number of its process written next to it. */
function writeProgram(name: string, code: string): { readonly file: string; readonly pidFile: string } {
  const file = path.join(temporary.folder, `${name}.cjs`);
  const pidFile = `${file}.pid`;
  writeFileSync(file, `require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));\n${code}`);
  return { file, pidFile };
}

const probe = (configs: readonly ServerConfig[], timeoutMs = 120_000): Promise<readonly ProbedServer[]> =>
  probeServers(configs, {
    isStarting: true,
    timeoutMs,
    directory: temporary.folder,
    environment: { PATH: process.env.PATH, HOME: temporary.folder },
  });

function isRunning(pidFile: string): boolean {
  try {
    process.kill(Number(readFileSync(pidFile, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}

/** The port that a server was given, or one that is free. */
async function findPort(server?: Server): Promise<number> {
  const listening = server ?? createServer();
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  if (!server) await new Promise((resolve) => listening.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

describe("probeServers, with the real servers", () => {
  const configs = [
    configure("filesystem", node([FILESYSTEM, temporary.folder])),
    configure("everything", node([EVERYTHING, "stdio"])),
    configure("memory", node([MEMORY])),
  ];

  it("[R77] measures every tool in the shape of the API, within 5 % of the calibrated estimate of it", async () => {
    const probed = await probe(configs);
    const counts = Object.fromEntries(
      probed.map(({ config, outcome }) => [
        config.name,
        outcome.status === "measured" ? outcome.tools.length : outcome,
      ]),
    );
    expect(counts).toEqual({ filesystem: 14, everything: expect.any(Number), memory: 9 });
    expect(counts.everything).toBeGreaterThanOrEqual(10);
    for (const { config, outcome } of probed) {
      if (outcome.status !== "measured") throw new Error(outcome.why);
      const { tools, loadedTokens, deferredTokens } = weighTools(config.name, outcome.tools, "dense");
      for (const tool of outcome.tools) {
        const expected = estimateTextTokens(
          JSON.stringify({
            name: `mcp__${config.name}__${tool.name}`,
            description: tool.description,
            input_schema: tool.inputSchema,
          }),
          "dense",
        );
        const found = tools.find(({ name }) => name === `mcp__${config.name}__${tool.name}`);
        expect(Math.abs((found?.tokens ?? 0) / expected - 1)).toBeLessThan(0.05);
        expect(renderToolForApi(config.name, tool)).not.toContain("outputSchema");
      }
      expect(deferredTokens).toBeLessThan(loadedTokens / 3);
    }
  });
});

describe("probeServers, with servers that misbehave", () => {
  it("[R86] tells of one that hangs and one that crashes, and ends both with all they started", async () => {
    const child = writeProgram("grandchild", "setInterval(() => {}, 1000);");
    const hanging = writeProgram(
      "hanging",
      `require("child_process").spawn(process.execPath, [${JSON.stringify(child.file)}], { stdio: "ignore" });
       process.on("SIGTERM", () => {}); process.stdin.resume(); console.error("starting"); console.error("waiting for a token");
       setInterval(() => {}, 1000);`,
    );
    const crashing = writeProgram("crashing", 'console.error("no API key\\nError: KEY is missing"); process.exit(3);');
    const probed = await probe([
      configure("crashing", node([crashing.file])),
      configure("absent", { kind: "stdio", command: "/no/such/program", args: [], env: {} }),
      configure("memory", node([MEMORY])),
    ]);
    expect(probed.map(({ outcome }) => outcome)).toMatchObject([
      { status: "failed", why: "the server exited with status 3", lastError: "Error: KEY is missing" },
      { status: "failed", why: expect.stringContaining("ENOENT") },
      { status: "measured" },
    ]);
    // However slow the machine is: the one that hangs has started another before the time is up.
    let seconds = 1;
    let hung = await probe([configure("hanging", node([hanging.file]))], seconds * 1000);
    while (!existsSync(child.pidFile)) {
      seconds *= 2;
      hung = await probe([configure("hanging", node([hanging.file]))], seconds * 1000);
    }
    expect(hung.map(({ outcome }) => outcome)).toMatchObject([
      { status: "failed", why: `no answer within ${seconds} s`, lastError: "waiting for a token" },
    ]);
    expect([child, hanging, crashing].map(({ pidFile }) => isRunning(pidFile))).toEqual([false, false, false]);
  });

  it("gives a server its configured variables and the person's own, and adds none", async () => {
    const file = path.join(temporary.folder, "environment.json");
    const reporting = writeProgram(
      "telling",
      `require("fs").writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));`,
    );
    await probe([configure("telling", node([reporting.file], { TOKEN: "t" }))]);
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8"))).sort()).toEqual(["HOME", "PATH", "TOKEN"]);
  });

  it("lists pages until there are no more", async () => {
    const paged = writeProgram(
      "paged",
      `const tools = (from) => Array.from({ length: 50 }, (_, index) => ({ name: "t" + (from + index), inputSchema: { type: "object" } }));
       const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
       console.log("hello, I am no JSON");
       require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
         const { id, method, params } = JSON.parse(line);
         if (method === "initialize") say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "p", version: "1" }, instructions: "Be kind." });
         if (method === "tools/list") params?.cursor ? say(id, { tools: tools(50) }) : say(id, { tools: tools(0), nextCursor: "next" });
       });`,
    );
    const [probed] = await probe([configure("paged", node([paged.file]))]);
    expect(probed?.outcome).toMatchObject({ status: "measured", instructions: "Be kind." });
    expect(probed?.outcome.status === "measured" && probed.outcome.tools.length).toBe(100);
    expect(isRunning(paged.pidFile)).toBe(false);
  });
});

describe("probeServers, with servers elsewhere", () => {
  it("sends nothing to another machine, and starts nothing that is switched off or not to be started", async () => {
    const memory = node([MEMORY]);
    const configs = [
      configure("remote", { kind: "http", url: "https://mcp.example.com/mcp", headers: { Authorization: "secret" } }),
      configure("off", memory, { isDisabled: true }),
      configure("asked", memory),
    ];
    const probed = await probeServers(configs, {
      isStarting: false,
      timeoutMs: 1000,
      directory: temporary.folder,
      environment: {},
    });
    expect(probed.map(({ outcome }) => (outcome.status === "notMeasured" ? outcome.why : outcome))).toEqual([
      "Plimsoll does not contact remote servers",
      "switched off in the agent's settings",
      "not started, because of --no-start",
    ]);
  });

  it("measures a server that listens on this machine", async () => {
    const port = await findPort();
    const server = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
      env: { PATH: process.env.PATH, PORT: String(port) },
    });
    try {
      await new Promise<void>((resolve) =>
        server.stderr.on("data", (chunk) => /listening/i.test(String(chunk)) && resolve()),
      );
      const url = `http://127.0.0.1:${port}/mcp`;
      const [probed] = await probe([configure("listening", { kind: "http", url, headers: {} })]);
      expect(probed?.outcome.status === "measured" && probed.outcome.tools.length).toBeGreaterThanOrEqual(10);
    } finally {
      server.kill("SIGKILL");
    }
  });

  it("follows no server on this machine to another one", async () => {
    const server = createServer((_, response) => response.writeHead(307, { location: "http://192.0.2.1/" }).end());
    const port = await findPort(server);
    const [probed] = await probe([
      configure("local", { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} }),
    ]);
    server.close();
    expect(probed?.outcome.status).toBe("failed");
  });
});
