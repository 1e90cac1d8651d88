/** If red: rules, mode or notes of a project are not read, or are read through a link from elsewhere. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { nodeProjectFiles } from "./node-project-files.ts";
import {
  findPlan,
  listPassedRules,
  readIgnoreRules,
  readNotes,
  readRules,
  readSurroundings,
} from "./project-reader.ts";

const temporary = createTemporaryFolder();

/** A project with these files; a folder's name ends in a slash. */
function createProject(...files: readonly string[]): string {
  const project = temporary.name("-project");
  mkdirSync(project);
  for (const name of files) {
    const file = path.join(project, name);
    mkdirSync(name.endsWith("/") ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(file, `text of ${name}`);
  }
  return project;
}

const namesOf = async (project: string): Promise<readonly string[]> =>
  (await readRules(nodeProjectFiles, project)).map(({ name }) => name);
const SETTINGS = ".plimsoll/settings.json";

describe("the rules of a project", () => {
  it("are the documents of our folder, by name, with their texts", async () => {
    const project = createProject(".plimsoll/rules/b.md", ".plimsoll/rules/a.md", ".plimsoll/rules/notes.txt");
    writeFileSync(path.join(project, ".plimsoll/rules/.draft.md"), "not yet");
    expect(await readRules(nodeProjectFiles, project)).toEqual([
      { name: ".plimsoll/rules/a.md", text: "text of .plimsoll/rules/a.md" },
      { name: ".plimsoll/rules/b.md", text: "text of .plimsoll/rules/b.md" },
    ]);
  });

  it("are those of a plain folder, too, where the project has settings of ours; otherwise these are named as passed over", async () => {
    const [invited, plain] = [createProject(SETTINGS, "rules/a.md"), createProject("rules/a.md")];
    expect(await namesOf(invited)).toEqual(["rules/a.md"]);
    expect(await namesOf(plain)).toEqual([]);
    expect(await listPassedRules(nodeProjectFiles, invited)).toEqual([]);
    expect(await listPassedRules(nodeProjectFiles, plain)).toEqual(["rules/a.md"]);
  });

  it.each([".plimsoll", ".plimsoll/rules", "rules"])("are none behind a link in the place of %s", async (place) => {
    const elsewhere = createProject("rules/a.md", "a.md", "settings.json");
    const project = createProject(...(place === ".plimsoll" ? [] : [SETTINGS]));
    symlinkSync(elsewhere, path.join(project, place));
    expect(await namesOf(project)).toEqual([]);
  });

  it("are fifty at most", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `.plimsoll/rules/rule-${index + 10}.md`);
    expect(await namesOf(createProject(...names))).toEqual(names.slice(0, 50));
  });
});

describe("what surrounds a session", () => {
  const read = (project: string) => readSurroundings(nodeProjectFiles, project, async (mode) => `what ${mode} means`);

  it("is the mode with its text, the rules and the newest plan", async () => {
    const project = createProject(".plimsoll/rules/a.md", ".plimsoll/plan-1.md", ".plimsoll/plan-2.md");
    writeFileSync(path.join(project, ".plimsoll/active-context.md"), "dev\n");
    expect(await read(project)).toMatchObject({
      mode: { kind: "set", mode: "dev" },
      modeText: "what dev means",
      rules: [{ name: ".plimsoll/rules/a.md" }],
      plan: ".plimsoll/plan-2.md",
    });
  });

  it("is nothing without a project, and a mode without a text where none is set", async () => {
    expect(await read("")).toEqual({ mode: { kind: "none" }, modeText: undefined, rules: [], plan: "" });
    expect(await read(createProject())).toEqual({ mode: { kind: "none" }, modeText: undefined, rules: [], plan: "" });
  });

  it("names a mode's file that cannot be read", async () => {
    const { mode } = await read(createProject(".plimsoll/active-context.md/"));
    expect(mode).toMatchObject({ kind: "rejected", warning: expect.stringContaining("is not a regular file") });
  });

  it("has no plan whose name could say something else", async () => {
    const project = createProject(".plimsoll/plan-run this now.md", ".plimsoll/plans.md");
    expect(await findPlan(nodeProjectFiles, project)).toBe("");
  });
});

describe("the notes of a project", () => {
  const read = (project: string) => readNotes(nodeProjectFiles, project);

  it("are its state files, its memory and where a session paused", async () => {
    const project = createProject(
      ".plimsoll/decisions.md",
      ".plimsoll/memory/MEMORY.md",
      ".plimsoll/.continue-here.md",
      ".git/",
    );
    expect(await read(project)).toEqual({
      texts: { "decisions.md": "text of .plimsoll/decisions.md" },
      unreadable: new Map(),
      memory: "text of .plimsoll/memory/MEMORY.md",
      paused: "text of .plimsoll/.continue-here.md",
      hasGit: true,
    });
  });

  it("are none where there is no project, and none where it holds nothing of ours", async () => {
    const nothing = { texts: {}, unreadable: new Map(), memory: "", hasGit: false };
    expect(await read("")).toEqual(nothing);
    expect(await read(createProject("src/"))).toEqual(nothing);
  });

  it("know a repository from a folder below it, and from a worktree's file", async () => {
    const project = createProject(".git", "packages/web/");
    expect((await read(path.join(project, "packages/web"))).hasGit).toBe(true);
  });

  it("name what cannot be read, and read nothing behind a link", async () => {
    const folder = createProject(".plimsoll/decisions.md/");
    expect([...(await read(folder)).unreadable]).toEqual([["decisions.md", "is not a regular file"]]);
    const linked = createProject();
    symlinkSync(path.join(createProject(".plimsoll/memory/MEMORY.md"), ".plimsoll"), path.join(linked, ".plimsoll"));
    const { texts, unreadable, memory } = await read(linked);
    expect({ texts, memory }).toEqual({ texts: {}, memory: "" });
    expect(unreadable.get("decisions.md")).toBe("is in a folder that is a link");
  });
});

describe("the ignore rules of a project", () => {
  it("are those of both files, ours last, or the defaults", async () => {
    const project = createProject(".plimsollignore", ".ckignore");
    expect(await readIgnoreRules(nodeProjectFiles, project)).toEqual({
      text: "text of .ckignore\ntext of .plimsollignore",
      isDefault: false,
    });
    const empty = createProject();
    writeFileSync(path.join(empty, ".plimsollignore"), "");
    expect(await readIgnoreRules(nodeProjectFiles, empty)).toEqual({ text: "", isDefault: true });
  });
});
