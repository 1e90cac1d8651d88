/** If red: the startup context is measured without files that the client loads. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { isLoopbackUrl } from "../../../../entry/gateway/http/choose-proxy.ts";
import { nameProjectFolder } from "../projects.ts";
import { listImports, parseFrontMatter, readAgents, readInstructions, readSkills } from "./baseline.ts";

const temporary = createTemporaryFolder();

function createWorld(files: Readonly<Record<string, string>>) {
  const home = temporary.name("");
  const project = path.join(home, "project");
  const clientHome = path.join(home, ".claude");
  for (const folder of [project, clientHome]) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { home, project, clientHome };
}

describe("readInstructions", () => {
  it("[R84] reads what the client loads: the chain, its imports, rules without paths, and no AGENTS.md by itself", () => {
    const world = createWorld({
      ".claude/CLAUDE.md": "mine",
      "CLAUDE.md": "above",
      "project/CLAUDE.md": "# Rules\n@docs/more.md and `@docs/code.md`\n",
      "project/docs/more.md": "@deep.md",
      "project/docs/deep.md": "deep",
      "project/docs/code.md": "no",
      "project/.claude/CLAUDE.md": "inside",
      "project/CLAUDE.local.md": "local",
      "project/AGENTS.md": "no",
      "project/.claude/rules/always.md": "always",
      "project/.claude/rules/some.md": "---\npaths: src/**\n---\nsome",
    });
    const { files, scoped } = readInstructions(world, world.home);
    const names = files.map((file) => path.relative(world.home, file.path));
    expect(names).toEqual([
      ".claude/CLAUDE.md",
      "project/CLAUDE.md",
      "project/docs/more.md",
      "project/docs/deep.md",
      "project/.claude/CLAUDE.md",
      "project/CLAUDE.local.md",
      "CLAUDE.md",
      "project/.claude/rules/always.md",
    ]);
    expect(files[2]?.importedBy).toEqual({ path: path.join(world.project, "CLAUDE.md"), line: 2 });
    expect(scoped.map((file) => path.basename(file.path))).toEqual(["some.md"]);
  });

  it("[R133] finds the client's memory of the project", () => {
    const world = createWorld({});
    const folder = path.join(world.clientHome, "projects", nameProjectFolder(world.project), "memory");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "MEMORY.md"), "- [a](a.md): x\n");
    expect(readInstructions(world, world.home).memoryIndex?.text).toBe("- [a](a.md): x\n");
  });

  it("ends where imports go round", () => {
    const { home, project, clientHome } = createWorld({ "project/CLAUDE.md": "@a.md", "project/a.md": "@CLAUDE.md" });
    expect(readInstructions({ project, clientHome }, home).files).toHaveLength(2);
  });
});

describe("readAgents and readSkills", () => {
  it("[R78] weighs an agent by its line in the listing, and a skill also by its file", () => {
    const world = createWorld({
      "project/.claude/agents/team/rev.md": `---\nname: reviewer\ndescription: >\n  Reads code\n  with care.\n---\n${"Body. ".repeat(200)}`,
      ".claude/skills/release/SKILL.md": `---\ndescription: "Releases."\n---\n${"Steps. ".repeat(200)}`,
    });
    const [agent] = readAgents(world, "dense");
    const [skill] = readSkills(world, "dense");
    expect(agent).toMatchObject({ name: "reviewer" });
    expect(agent?.listingTokens).toBeLessThan(30);
    expect(skill).toMatchObject({ name: "release" });
    expect(skill?.bodyTokens).toBeGreaterThan(300);
  });
});

describe("parseFrontMatter", () => {
  it("takes a file without a head as it is", () => {
    expect(parseFrontMatter("# Title\n")).toEqual({ fields: {}, body: "# Title\n" });
    expect(parseFrontMatter("---\na: 1\nb: |\n  x\n  y\n---\nbody")).toEqual({
      fields: { a: "1", b: "x y" },
      body: "body",
    });
  });
});

describe("listImports", () => {
  it("takes paths, and neither people nor code", () => {
    const text = "see @docs/a.md, @~/b.md\nask @alice or mail a@b.org\n```\n@c.md\n```\n@./d.md.";
    expect(listImports(text)).toEqual([
      { target: "docs/a.md", line: 1 },
      { target: "~/b.md", line: 1 },
      { target: "./d.md", line: 6 },
    ]);
  });
});

describe("isLoopback", () => {
  it.each([
    ["http://localhost:3000/mcp", true],
    ["http://127.0.0.1/mcp", true],
    ["http://[::1]:9/", true],
    ["http://127.0.0.1.example.com/", false],
    ["http://localhost.example.com/", false],
    ["http://127.1@example.com/", false],
    ["file:///etc/passwd", false],
    ["nonsense", false],
  ])("says of %s: %s", (url, is) => {
    expect(isLoopbackUrl(url)).toBe(is);
  });
});
