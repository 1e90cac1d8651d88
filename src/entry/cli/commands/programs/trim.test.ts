/** If red: plimsoll trim switches off a tool that is used, or does not give the settings back byte for byte. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  attachment,
  prompt,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../../test/support/transcript-lines.ts";
import { nameProjectFolder } from "../../../../hosts/claude-code/disk/projects.ts";

const temporary = createTemporaryFolder();

const listings = [
  attachment({ type: "deferred_tools_delta", addedNames: ["mcp__maps__find", "mcp__sea__tide", "mcp__sea__wind"] }),
  attachment({
    type: "agent_listing_delta",
    addedLines: ["- scribe: Writes.", "- plug:poet: Rhymes.", "- core: All."],
  }),
  attachment({
    type: "skill_listing",
    content: `- rig: ${"Rigs the ship. ".repeat(20)}\n- knot: Ties.\n- plug:sail: Sails.`,
  }),
];

function session(index: number): string {
  const calls = [toolUse(`t${index}`, "mcp__sea__tide"), toolUse(`k${index}`, "Skill", { skill: "knot" })];
  return toFile(
    transcript(
      ...listings,
      prompt("Go."),
      answer(`m${index}`, calls, { cache_creation_input_tokens: 30_000 }),
      toolResult(`t${index}`, "high"),
      toolResult(`k${index}`, "tied"),
      answer(`n${index}`, ["Done."], { cache_read_input_tokens: 31_000 }),
    ),
  );
}

function createWorld(sessions: number) {
  const home = temporary.name("");
  const project = path.join(home, "project");
  const records = path.join(home, ".claude", "projects", nameProjectFolder(project));
  for (const folder of [path.join(project, ".claude/agents"), records]) mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(project, ".claude/agents/scribe.md"),
    "---\nname: scribe\ndescription: Writes.\n---\nWrite.\n",
  );
  writeFileSync(path.join(project, ".mcp.json"), JSON.stringify({ mcpServers: { sea: { command: "false" } } }));
  writeFileSync(
    path.join(home, ".claude.json"),
    JSON.stringify({ mcpServers: { maps: { type: "http", url: "https://maps.example/mcp" } } }),
  );
  const rules = path.join(project, "CLAUDE.md");
  writeFileSync(rules, "Use `make a`, `make b`, `make c`, `make d`, `make e`.\n");
  utimesSync(rules, 1, 1);
  for (let index = 0; index < sessions; index++) writeFileSync(path.join(records, `${index}.jsonl`), session(index));
  const settings = path.join(project, ".claude/settings.local.json");
  const environment = { HOME: home, PATH: process.env.PATH };
  const run = (...words: readonly string[]) => runPlimsoll(words, { environment, directory: project });
  return { project, records, rules, settings, run, read: () => JSON.parse(readFileSync(settings, "utf8")) };
}

const OFF = {
  permissions: { deny: ["Agent(plug:poet)", "Agent(scribe)", "mcp__sea__wind"] },
  skillOverrides: { rig: "user-invocable-only" },
  deniedMcpServers: [{ serverName: "maps" }],
};

describe("plimsoll trim", () => {
  it("shows what was never used, what it costs and on what that is based, and changes nothing unasked", async () => {
    const { run, settings, rules } = createWorld(10);
    const { output, exitCode } = await run("trim");
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^ {2}skill rig +\d+ +\$0\.\d+ +0 of 10$/m);
    for (const name of ["server mcp__maps", "tool mcp__sea__wind", "agent scribe", "agent plug:poet"])
      expect(output).toContain(`  ${name} `);
    for (const name of ["knot", "mcp__sea__tide", "agent core"]) expect(output).not.toContain(name);
    expect(output).toMatch(/These items stay on[\s\S]*skill plug:sail/);
    expect(output).toContain(`instructions ${rules}`);
    expect(output).toMatch(
      /Based on 10 recorded sessions of this project. The monthly cost covers the project's 20 requests in \d+ days?/,
    );
    expect(output).toContain('+     "rig": "user-invocable-only"');
    expect(existsSync(settings)).toBe(false);
    expect((await run("audit", "--no-start")).output).toMatch(/never used\n[\s\S]*skill rig[\s\S]*Run: plimsoll trim/);
  });

  it("says nothing below ten sessions", async () => {
    const { run, settings } = createWorld(9);
    expect((await run("trim", "--yes")).output).toContain(
      "This project has 9 recorded sessions, and plimsoll trim needs at least 10.",
    );
    expect((await run("audit", "--no-start")).output).not.toContain("never used");
    expect(existsSync(settings)).toBe(false);
  });

  it("switches it off, and takes out exactly that, with the file that it made", async () => {
    const { run, read, settings, project } = createWorld(10);
    expect((await run("trim", "--yes")).exitCode).toBe(0);
    const { permissions, ...others } = read();
    expect({ ...others, permissions: { deny: permissions.deny.sort() } }).toEqual(OFF);
    expect((await run("trim", "--yes")).output).toContain("Nothing more to switch off.");
    expect((await run("trim", "--undo", "--yes")).exitCode).toBe(0);
    expect(existsSync(settings)).toBe(false);
    expect(readdirSync(path.join(project, ".claude"))).toEqual(["agents"]);
    expect((await run("trim", "--undo", "--yes")).output).toContain("has changed nothing in this project");
  });

  it("leaves what the person has set, before and after, byte for byte", async () => {
    const { run, read, settings, project } = createWorld(10);
    const text = '{"permissions":{"deny":["Agent(scribe)","Bash(rm *)"]},\n\t"skillOverrides":{"rig":"off"}}\n';
    writeFileSync(settings, text);
    await run("trim", "--yes");
    expect(read().skillOverrides).toEqual({ rig: "off" });
    await run("trim", "--undo", "--yes");
    expect(readFileSync(settings, "utf8")).toBe(text);
    await run("trim", "--yes");
    writeFileSync(settings, JSON.stringify({ ...read(), model: "opus" }));
    await run("trim", "--undo", "--yes");
    expect(read()).toEqual({ ...JSON.parse(text), model: "opus" });
    expect(readdirSync(path.join(project, ".claude")).sort()).toEqual(["agents", "settings.local.json"]);
  });

  it("takes single names, instructions where they are asked for, and a project's server by its own list", async () => {
    const { run, read, rules, records } = createWorld(10);
    await run("trim", "rig", rules, "--yes");
    expect(read()).toEqual({ skillOverrides: { rig: "user-invocable-only" }, claudeMdExcludes: [rules] });
    expect((await run("trim", "tide")).remarks).toContain("tide is not one of the unused items");
    for (const name of readdirSync(records)) {
      const file = path.join(records, name);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll('"name":"mcp__sea__tide"', '"name":"Bash"'));
    }
    await run("trim", "mcp__sea", "--yes");
    expect(read().disabledMcpjsonServers).toEqual(["sea"]);
  });

  it("does not follow a link in a project", async () => {
    const { run, settings } = createWorld(10);
    const elsewhere = temporary.name(".json");
    writeFileSync(elsewhere, "{}");
    symlinkSync(elsewhere, settings);
    const { exitCode, remarks } = await run("trim", "--yes");
    expect([exitCode, remarks]).toEqual([2, expect.stringContaining("is a symbolic link")]);
    expect(readFileSync(elsewhere, "utf8")).toBe("{}");
  });

  it("goes with plimsoll uninstall", async () => {
    const { run, settings } = createWorld(10);
    await run("trim", "--yes");
    expect((await run("uninstall", "--yes")).exitCode).toBe(0);
    expect(existsSync(settings)).toBe(false);
  });

  it("counts what a subagent called", async () => {
    const { run, records } = createWorld(10);
    mkdirSync(path.join(records, "0/subagents"), { recursive: true });
    const calls = [toolUse("s1", "mcp__maps__find"), toolUse("s2", "Skill", { skill: "rig" })];
    writeFileSync(
      path.join(records, "0/subagents/agent-1.jsonl"),
      toFile(transcript(prompt("Go."), answer("s", calls))),
    );
    const { off, kept } = JSON.parse((await run("trim", "--dry-run", "--json")).output);
    const names = [...off, ...kept].map(({ name }: { name: string }) => name);
    expect(names).not.toContain("mcp__maps");
    expect(names).not.toContain("rig");
  });
});
