/** If red: the sessions of a project are not found, or those of another are shown. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { nameProjectFolder, projects } from "./projects.ts";

const { name } = createTemporaryFolder();

/** Files below a fresh folder, each a minute older than the one before. */
function createTree(...files: readonly string[]): string {
  const root = name("");
  mkdirSync(root);
  for (const [index, file] of files.entries()) {
    const full = path.join(root, file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, "{}\n");
    const at = new Date(Date.UTC(2026, 0, 1) - index * 60_000);
    utimesSync(full, at, at);
  }
  return root;
}

describe("locateHome", () => {
  it("asks the client's own variable first, then the home", () => {
    expect(projects.locateHome({ CLAUDE_CONFIG_DIR: "/elsewhere", HOME: "/home/dev" })).toBe("/elsewhere");
    expect(projects.locateHome({ HOME: "/home/dev" })).toBe("/home/dev/.claude");
    expect(projects.locateHome({ CLAUDE_CONFIG_DIR: "", HOME: "/home/dev" })).toBe("/home/dev/.claude");
    expect(path.basename(projects.locateHome({}))).toBe(".claude");
  });
});

describe("nameProjectFolder", () => {
  it("turns every special character into a dash, as the client does", () => {
    expect(nameProjectFolder("/home/dev/my_app.v2 (new)")).toBe("-home-dev-my-app-v2--new-");
  });
});

describe("listTranscripts", () => {
  it("finds every transcript below a folder, newest first, and nothing else", () => {
    const root = createTree(
      "-home-dev-b/new.jsonl",
      "-home-dev-a/old.jsonl",
      "-home-dev-a/old/tool-results/x.txt",
      "-home-dev-a/old/subagents/agent-1.jsonl",
      "-home-dev-a/old/subagents/agent-1.meta.json",
      "top.jsonl",
    );
    const found = projects.listTranscripts(root).map(({ path: file, project, bytes, isSubagent }) => {
      return [path.relative(root, file), project, bytes, isSubagent];
    });
    expect(found).toEqual([
      ["-home-dev-b/new.jsonl", "-home-dev-b", 3, false],
      ["-home-dev-a/old.jsonl", "-home-dev-a", 3, false],
      ["-home-dev-a/old/subagents/agent-1.jsonl", "-home-dev-a", 3, true],
      ["top.jsonl", path.basename(root), 3, false],
    ]);
  });

  it("puts files of the same age in the order of their names", () => {
    const root = createTree("c.jsonl", "a.jsonl", "b.jsonl");
    const at = new Date(Date.UTC(2026, 0, 1));
    for (const file of ["a", "b", "c"]) utimesSync(path.join(root, `${file}.jsonl`), at, at);
    expect(projects.listTranscripts(root).map(({ path: file }) => path.basename(file, ".jsonl"))).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("takes a single file as it is, whatever its name, and names its folder as its project", () => {
    const root = createTree("-home-dev-a/notes.txt");
    const file = path.join(root, "-home-dev-a", "notes.txt");
    expect(projects.listTranscripts(file)).toMatchObject([{ path: file, project: "-home-dev-a", isSubagent: false }]);
  });

  it("knows the subagent files of older clients, which lie next to the session", () => {
    const root = createTree("-home-dev-a/agent-12ab.jsonl", "-home-dev-a/my-agent-notes.jsonl");
    expect(projects.listTranscripts(root).map(({ isSubagent }) => isSubagent)).toEqual([true, false]);
  });

  it("finds nothing where there is nothing", () => {
    expect(projects.listTranscripts(name(""))).toEqual([]);
    expect(projects.listTranscripts(createTree("readme.md"))).toEqual([]);
  });
});
