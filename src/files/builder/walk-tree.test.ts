/** If red: a search reads ignored files or binaries, or leaves out files of the project. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTickingClock } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readTree, TREE_LIMITS } from "./walk-tree.ts";

const temporary = createTemporaryFolder();

function plant(name: string, files: Readonly<Record<string, string>>): string {
  const root = path.join(temporary.folder, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return root;
}

function list(root: string): readonly string[] {
  return readTree(root, { clockMs: () => 0 }).files.map((file) => file.path);
}

describe("the working tree", () => {
  it("leaves out what ignore files leave out, the nearest with the last word", () => {
    const root = plant("ignored", {
      ".gitignore": "*.log\n/secret/\n",
      ".plimsollignore": "notes.md\n",
      "a.ts": "",
      "a.log": "",
      "notes.md": "",
      "secret/a.ts": "",
      "src/secret/a.ts": "",
      "src/.gitignore": "!keep.log\n/only-here.ts\n",
      "src/keep.log": "",
      "src/only-here.ts": "",
      "src/deep/only-here.ts": "",
      "node_modules/x/index.js": "",
      "package-lock.json": "",
    });
    expect(list(root).filter((file) => !file.includes("ignore"))).toEqual([
      "a.ts",
      "src/keep.log",
      "src/deep/only-here.ts",
      "src/secret/a.ts",
    ]);
  });

  it("obeys the repository's ignore files when a folder inside it is searched", () => {
    const root = plant("repository", {
      ".git/info/exclude": "mine.ts\n",
      ".gitignore": "/src/out/\n",
      "src/a.ts": "",
      "src/mine.ts": "",
      "src/out/b.ts": "",
    });
    expect(list(path.join(root, "src"))).toEqual(["a.ts"]);
  });

  it("lets the nearest of the folders above have the last word", () => {
    const root = plant("above", {
      ".git/config": "",
      ".gitignore": "*.log\n",
      "src/.gitignore": "!*.log\n",
      "src/deep/keep.log": "",
    });
    expect(list(path.join(root, "src/deep"))).toEqual(["keep.log"]);
  });

  it("reads a worktree, whose .git is a file", () => {
    const root = plant("worktree", {
      ".git": "gitdir: /elsewhere\n",
      ".gitignore": "out.ts\n",
      "a.ts": "",
      "out.ts": "",
    });
    expect(list(root)).toContain("a.ts");
    expect(list(root)).not.toContain("out.ts");
  });

  it("passes over binaries, links and what is too large, and counts them", () => {
    const root = plant("odd", { "a.ts": "x", "b.bin": "x\0y", "c.txt": "x".repeat(600_000) });
    symlinkSync(root, path.join(root, "loop"));
    const { files, counts } = readTree(root, { clockMs: () => 0 });
    expect(files).toEqual([{ path: "a.ts", text: "x" }]);
    expect(counts).toEqual({
      files: 1,
      bytes: 1,
      ignored: 0,
      binary: 1,
      tooLarge: 1,
      unreadable: 0,
      cutShort: undefined,
    });
  });

  it.each([
    [{ maxFiles: 2 }, "more than 2 files"],
    [{ maxBytes: 1 }, "more than 0 MB"],
    [{ maxMs: 2 }, "more than 0.002 s"],
  ])("stops at %j and says so", (limits, cutShort) => {
    const root = plant(`bounded-${cutShort}`, { "a.ts": "x", "b.ts": "x", "c.ts": "x", "d.ts": "x", "e/f.ts": "x" });
    const { files, counts } = readTree(root, { clockMs: createTickingClock(1), limits: { ...TREE_LIMITS, ...limits } });
    expect(counts.cutShort).toBe(cutShort);
    expect(files.length).toBeLessThan(4);
  });

  it("is empty where there is nothing to read", () => {
    expect(readTree(path.join(temporary.folder, "none"), { clockMs: () => 0 })).toMatchObject({
      files: [],
      counts: { unreadable: 1 },
    });
  });
});
