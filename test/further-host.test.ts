/** If red: a new client needs changes all over the source. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { HOSTS } from "../src/hosts/catalogue.ts";

const SOURCE = path.resolve(import.meta.dirname, "../src");

function listSources(): readonly string[] {
  const names = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => name.replaceAll("\\", "/"));
}

/** Files outside a client's folder that take something from it. */
function findImporters(folder: string): readonly string[] {
  return listSources().filter((name) => {
    if (name.startsWith(`hosts/${folder}/`)) return false;
    const text = readFileSync(path.join(SOURCE, name), "utf8");
    // The folder of that name in another room is something else.
    const above = name.startsWith("hosts/") ? "(?:hosts/|\\./)" : "hosts/";
    return new RegExp(`from "[^"]*${above}${folder}/`).test(text);
  });
}

describe.each(HOSTS.filter(({ isOnlyRead }) => isOnlyRead).map(({ name }) => name))("the reader of %s", (folder) => {
  it("is its folder and its name in the list of clients, and nothing else in the source knows of it", () => {
    expect(findImporters(folder)).toEqual(["hosts/catalogue.ts"]);
    const catalogue = readFileSync(path.join(SOURCE, "hosts/catalogue.ts"), "utf8");
    const lines = catalogue.split("\n").filter((line) => line.includes(folder));
    expect(lines).toEqual([
      `import { ${folder} } from "./${folder}/host.ts";`,
      expect.stringMatching(/^export const HOSTS: Hosts = \[.*\];$/),
    ]);
  });
});
