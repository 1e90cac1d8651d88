/** If red: sessions are not found, or listed in the wrong order. */
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { findHoldingFile, listFiles, locateFolder } from "./list-files.ts";

const temporary = createTemporaryFolder();

/** A folder of files, each written so many seconds after a made-up start. */
function createFolder(files: Readonly<Record<string, number>>): string {
  const root = temporary.name("-files");
  mkdirSync(root);
  for (const [name, seconds] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, name);
    utimesSync(file, 1_790_000_000 + seconds, 1_790_000_000 + seconds);
  }
  return root;
}

const isLog = (name: string): boolean => name.endsWith(".log");
const namesOf = (root: string, depth?: number): readonly string[] =>
  listFiles(root, isLog, depth).map((file) => path.relative(root, file.path));

describe("the files below a folder", () => {
  it("come newest first, and by path where they are of one time", () => {
    const root = createFolder({ "a/old.log": 1, "b.log": 5, "c/deep/new.log": 9, "a/also.log": 5, "c/other.txt": 7 });
    expect(namesOf(root)).toEqual(["c/deep/new.log", "a/also.log", "b.log", "a/old.log"]);
  });

  it("have their size and time", () => {
    const root = createFolder({ "a.log": 3 });
    expect(listFiles(root, isLog)).toEqual([
      { path: path.join(root, "a.log"), bytes: "a.log".length, modifiedMs: 1_790_000_003_000 },
    ]);
  });

  it("are looked for as deep as is asked", () => {
    const root = createFolder({ "top.log": 3, "a/one.log": 2, "a/b/two.log": 1 });
    expect(namesOf(root, 1)).toEqual(["top.log"]);
    expect(namesOf(root, 2)).toEqual(["top.log", "a/one.log"]);
  });

  it("are none behind a link, and none where there is no folder", () => {
    const elsewhere = createFolder({ "secret.log": 1 });
    const root = createFolder({ "a.log": 1 });
    symlinkSync(elsewhere, path.join(root, "folder"));
    symlinkSync(path.join(elsewhere, "secret.log"), path.join(root, "file.log"));
    expect(namesOf(root)).toEqual(["a.log"]);
    expect(namesOf(path.join(root, "absent"))).toEqual([]);
  });

  it("are one file where a file is named, whatever its name", () => {
    const root = createFolder({ "notes.txt": 1 });
    expect(listFiles(path.join(root, "notes.txt"), isLog)).toHaveLength(1);
  });
});

describe("a client's folder", () => {
  const named = { name: "CLIENT_HOME", otherwise: "~/.client" };
  it.each([
    ["the one that its variable names", { CLIENT_HOME: "/data/client", HOME: "/home/u" }, "/data/client"],
    ["below the person's home otherwise", { HOME: "/home/u" }, "/home/u/.client"],
    ["below the person's home where the variable is empty", { CLIENT_HOME: "", HOME: "/home/u" }, "/home/u/.client"],
  ])("is %s", (_case, environment, folder) => {
    expect(locateFolder(named, environment)).toBe(folder);
    expect(locateFolder({ ...named, folder: "sessions" }, environment)).toBe(`${folder}/sessions`);
  });
});

describe("the file that holds a transcript", () => {
  it("is the database in front of a session's id, unless a file has that very name", () => {
    const root = createFolder({ "opencode.db": 1, "notes#1": 1 });
    expect(findHoldingFile(path.join(root, "opencode.db#ses_1"))).toBe(path.join(root, "opencode.db"));
    expect(findHoldingFile(path.join(root, "notes#1"))).toBe(path.join(root, "notes#1"));
  });
});
