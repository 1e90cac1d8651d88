/** If red: two projects share one name, or one project is listed as several. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { nameProjects } from "./name-projects.ts";

function file(path: string, project: string, folder: string) {
  return { file: { path, project }, folder };
}

describe("projects", () => {
  it("are named by the end of their real folder", () => {
    const named = nameProjects([
      file("1", "-home-ann-shop-checkout", "/home/ann/shop/checkout"),
      file("2", "-home-ann-notes", "/home/ann/notes"),
      file("3", "-Users-ann-work-shop-api", "/Users/ann/work/shop/api"),
    ]);
    expect([...named.values()].map(({ project }) => project)).toEqual(["shop/checkout", "notes", "shop/api"]);
  });

  it("that end alike get as many folders in front as tell them apart", () => {
    const named = nameProjects([file("1", "a", "/srv/one/app/web"), file("2", "b", "/srv/two/app/web")]);
    expect([...named.values()].map(({ project }) => project)).toEqual(["one/app/web", "two/app/web"]);
  });

  it("of one folder of the client are one, by the folder that most sessions began in", () => {
    const named = nameProjects([
      file("1", "p", "/srv/app"),
      file("2", "p", "/srv/app"),
      file("3", "p", "/srv/app/sub"),
      file("4", "p", ""),
    ]);
    expect(new Set([...named.values()].map(({ folder }) => folder))).toEqual(new Set(["/srv/app"]));
  });

  it("without a recorded folder keep the client's name", () => {
    expect(nameProjects([file("1", "-home-ann-x", "")]).get("1")?.project).toBe("-home-ann-x");
  });

  it("are never the same name for two folders", () => {
    const folders = ["/a/b", "/x/a/b", "a/b", "/home/u/a/b", "/root/a/b"];
    const named = nameProjects(folders.map((folder, index) => file(String(index), folder, folder)));
    expect(new Set([...named.values()].map(({ project }) => project)).size).toBe(folders.length);
  });
});

const temporary = createTemporaryFolder();

/** What git writes of a clone, and of a worktree of it. */
function writeClone(name: string, url?: string): string {
  const folder = path.join(temporary.folder, name);
  mkdirSync(path.join(folder, ".git"), { recursive: true });
  const remote = url === undefined ? "" : `[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*\n`;
  writeFileSync(path.join(folder, ".git/config"), `[core]\n\tbare = false\n${remote}`);
  return folder;
}

function writeWorktree(clone: string, name: string): string {
  const folder = path.join(temporary.folder, name);
  const own = path.join(clone, ".git/worktrees", path.basename(name));
  for (const each of [folder, own]) mkdirSync(each, { recursive: true });
  writeFileSync(path.join(folder, ".git"), `gitdir: ${own}\n`);
  writeFileSync(path.join(own, "commondir"), "../..\n");
  return folder;
}

const nameAll = (folders: readonly string[], aliases = {}) => [
  ...nameProjects(
    folders.map((folder, index) => file(String(index), `p${index}`, folder)),
    aliases,
  ).values(),
];

describe("worktrees and clones of a repository", () => {
  it("are one project, each with its own folder, and its subfolders stay apart", () => {
    const clone = writeClone("shop", "git@example.com:ann/shop.git");
    const again = writeClone("copy-of-shop", "https://ann:x@example.com/Ann/Shop/");
    const folders = [writeWorktree(clone, "shop-fix"), clone, again, path.join(clone, "api"), path.join(again, "api")];
    const named = nameAll(folders);
    expect(named.map(({ folder }) => folder)).toEqual(folders);
    const [fix, shop, copy, api, copiedApi] = named.map(({ project }) => project);
    expect([fix, copy, copiedApi]).toEqual([shop, shop, api]);
    expect(shop).toMatch(/shop$/);
    expect(api).not.toBe(shop);
  });

  it("are still one when an agent has deleted its worktree", () => {
    const clone = writeClone("gone", undefined);
    const worktree = writeWorktree(clone, "gone/.claude/worktrees/fix");
    rmSync(worktree, { recursive: true });
    const [left, right] = nameAll([worktree, clone]);
    expect(left?.project).toBe(right?.project);
  });

  it("are two where they come from different places, or say nothing of it", () => {
    const folders = [
      writeClone("a/app", "https://x.test/one"),
      writeClone("b/app", "https://x.test/two"),
      writeClone("c/app"),
    ];
    expect(new Set(nameAll(folders).map(({ project }) => project)).size).toBe(3);
  });

  it("have the name that the person gave to their folder, the nearest first", () => {
    const aliases = { "/work/shop": "shop", "/work/shop/api": "api" };
    const named = nameAll(["/work/shop/web", "/work/shop/api/v2", "/work/shopping"], aliases);
    expect(named.map(({ project }) => project)).toEqual(["shop", "api", "work/shopping"]);
  });
});
