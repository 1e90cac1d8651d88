/** If red: the audit lists MCP servers that are switched off, or misses the person's own. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { readServerConfigs } from "./read-server-configs.ts";

const temporary = createTemporaryFolder();

function write(folder: string, name: string, value: unknown): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}

function createWorld(): { readonly home: string; readonly project: string } {
  const home = temporary.name("");
  const project = path.join(home, "project");
  mkdirSync(project, { recursive: true });
  return { home, project };
}

/** A variable, as a configuration names it. */
const variable = (inside: string): string => ["$", `{${inside}}`].join("");

const run = (command: string) => ({ command, args: ["--x"] });

describe("readServerConfigs", () => {
  it("takes a project's, a person's and their own servers of the project, the narrowest first", () => {
    const { home, project } = createWorld();
    write(project, ".mcp.json", { mcpServers: { shared: run("of-project"), both: run("of-project") } });
    write(home, ".claude.json", {
      mcpServers: { mine: run("of-user"), shared: run("of-user") },
      projects: {
        [project]: { mcpServers: { both: run("of-local") } },
        "/elsewhere": { mcpServers: { no: run("no") } },
      },
    });
    const { servers, problems } = readServerConfigs(project, { HOME: home });
    const shape = servers.map(({ name, scope, transport }) => {
      return `${name} ${scope} ${transport?.kind === "stdio" ? transport.command : ""}`;
    });
    expect(shape).toEqual(["both local of-local", "shared project of-project", "mine user of-user"]);
    expect(problems).toEqual([]);
  });

  it("follows CLAUDE_CONFIG_DIR", () => {
    const { home, project } = createWorld();
    const moved = path.join(home, "moved");
    write(home, ".claude.json", { mcpServers: { old: run("x") } });
    write(moved, ".claude.json", { mcpServers: { moved: run("x") } });
    write(moved, "settings.json", { mcpServers: { set: run("x") }, disabledMcpServers: ["set"] });
    const { servers } = readServerConfigs(project, { HOME: home, CLAUDE_CONFIG_DIR: moved });
    expect(servers.map(({ name, isDisabled }) => `${name} ${isDisabled}`)).toEqual(["moved false", "set true"]);
  });

  it("knows what the person switched off, and what of a project they approved", () => {
    const { home, project } = createWorld();
    write(project, ".mcp.json", { mcpServers: { yes: run("x"), no: run("x"), unasked: run("x") } });
    write(project, ".claude/settings.local.json", {
      enabledMcpjsonServers: ["yes"],
      disabledMcpjsonServers: ["no"],
    });
    write(home, ".claude.json", { projects: { [path.dirname(project)]: { hasTrustDialogAccepted: true } } });
    const read = () => readServerConfigs(project, { HOME: home }).servers;
    expect(read().map(({ isApproved, isDisabled }) => [isApproved, isDisabled])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    write(home, ".claude/settings.json", { enableAllProjectMcpServers: true });
    expect(read().every(({ isApproved }) => isApproved)).toBe(true);
  });

  it("lets no project approve its own servers before the person trusts its folder", () => {
    const { home, project } = createWorld();
    write(project, ".mcp.json", { mcpServers: { one: run("x") } });
    for (const name of ["settings.json", "settings.local.json"])
      write(project, `.claude/${name}`, { enableAllProjectMcpServers: true, enabledMcpjsonServers: ["one"] });
    const isApproved = () => readServerConfigs(project, { HOME: home }).servers[0]?.isApproved;
    expect(isApproved()).toBe(false);
    write(home, ".claude.json", { projects: { [project]: { hasTrustDialogAccepted: true } } });
    expect(isApproved()).toBe(true);
  });

  it("replaces variables, with their defaults, and says which are missing", () => {
    const { home, project } = createWorld();
    write(project, ".mcp.json", {
      mcpServers: {
        full: {
          command: variable("BIN:-node"),
          args: [`${variable("ROOT")}/a`],
          env: { KEY: variable("KEY"), PORT: 80 },
        },
        away: { type: "sse", url: `http://localhost:${variable("PORT:-1")}/sse`, headers: { A: variable("KEY") } },
        lacking: { type: "http", url: `https://${variable("HOST")}/mcp` },
      },
    });
    const { servers } = readServerConfigs(project, { HOME: home, ROOT: "/r", KEY: "k" });
    expect(servers.map(({ transport, problem }) => transport ?? problem)).toEqual([
      { kind: "stdio", command: "node", args: ["/r/a"], env: { KEY: "k", PORT: "80" } },
      { kind: "sse", url: "http://localhost:1/sse", headers: { A: "k" } },
      "the variable HOST is not set",
    ]);
  });

  it("reports a file that is broken and an entry that says nothing, and goes on", () => {
    const { home, project } = createWorld();
    write(project, ".mcp.json", "{ broken");
    write(home, ".claude.json", { mcpServers: { odd: 7, empty: {}, ws: { type: "ws", url: "ws://x" } } });
    const { servers, problems } = readServerConfigs(project, { HOME: home });
    expect(problems).toEqual([{ path: path.join(project, ".mcp.json"), why: "is not JSON" }]);
    expect(servers.map(({ transport }) => transport)).toEqual([undefined, undefined, undefined]);
    expect(servers[0]?.problem).toBe("its entry is not an object");
  });
});
