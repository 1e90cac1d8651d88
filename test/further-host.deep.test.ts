/** If red: removing a client breaks the others, or leaves part of it behind. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HOSTS } from "../src/hosts/catalogue.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const { name } = createTemporaryFolder();

/** The program's source as it is, without these clients' folders, and its list of clients as the change leaves it. */
function copySource(folders: readonly string[], change: (catalogue: string) => string): string {
  const copy = name("");
  cpSync(path.join(ROOT, "src"), path.join(copy, "src"), {
    recursive: true,
    filter: (from) =>
      !from.endsWith(".test.ts") && !folders.some((folder) => from.endsWith(path.join("hosts", folder))),
  });
  for (const file of ["package.json", "tsconfig.json"]) cpSync(path.join(ROOT, file), path.join(copy, file));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  const catalogue = path.join(copy, "src/hosts/catalogue.ts");
  writeFileSync(catalogue, change(readFileSync(catalogue, "utf8")));
  const options = JSON.parse(readFileSync(path.join(ROOT, "tsconfig.json"), "utf8"));
  writeFileSync(path.join(copy, "tsconfig.json"), JSON.stringify({ ...options, include: ["src"] }));
  return copy;
}

function compile(copy: string): string {
  try {
    return execFileSync(path.join(ROOT, "node_modules/.bin/tsc"), ["--noEmit", "-p", copy], { encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const READERS = HOSTS.filter(({ isOnlyRead }) => isOnlyRead).map((host) => host.name);

describe("a client whose records are read", () => {
  it("goes away with its folder and its name in one list: without all of them everything compiles", () => {
    const takeOut = (text: string, name: string): string =>
      text.replace(`import { ${name} } from "./${name}/host.ts";\n`, "").replace(new RegExp(`, ${name}\\b`), "");
    expect(READERS).not.toEqual([]);
    expect(compile(copySource(READERS, (text) => READERS.reduce(takeOut, text)))).toBe("");
  });
});
