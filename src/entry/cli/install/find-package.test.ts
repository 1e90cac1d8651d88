/** If red: install points the client at a folder that npx clears, or copies an old plugin. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { copyPackage, findPackage, isPassing } from "./find-package.ts";

const temporary = createTemporaryFolder();

it("finds the folder with the marketplace upwards from its own file", () => {
  expect(findPackage()).toBe(path.resolve(import.meta.dirname, "../../../.."));
});

it("knows the folder that npx clears", () => {
  expect(isPassing(["", "home", "me", ".npm", "_npx", "a1", "node_modules", "plimsoll"].join(path.sep))).toBe(true);
  expect(isPassing(["", "usr", "lib", "node_modules", "plimsoll"].join(path.sep))).toBe(false);
});

it("copies the marketplace with its plugins, and nothing of an older copy stays", () => {
  const [from, to] = [temporary.name("-from"), temporary.name("-to")];
  for (const folder of [".claude-plugin", "plugin", "src"]) mkdirSync(path.join(from, folder), { recursive: true });
  writeFileSync(path.join(from, "plugin", "new.js"), "new");
  mkdirSync(path.join(to, "plugin"), { recursive: true });
  writeFileSync(path.join(to, "plugin", "old.js"), "old");
  copyPackage(from, to);
  expect(readFileSync(path.join(to, "plugin", "new.js"), "utf8")).toBe("new");
  expect(["plugin/old.js", "src"].map((name) => existsSync(path.join(to, name)))).toEqual([false, false]);
});
