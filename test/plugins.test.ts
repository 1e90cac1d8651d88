/** If red: the committed plugins are not what the source says, or start slowly. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const BUILD = path.join(ROOT, "scripts/build-plugins.mjs");
const temporary = mkdtempSync(path.join(tmpdir(), "plimsoll-plugins-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** Builds a plugin anew next to the tree and gives back where. */
function buildAnew(option: "--classic" | "--module"): string {
  const folder = path.join(temporary, option.slice(2));
  mkdirSync(path.join(folder, "hooks"), { recursive: true });
  execFileSync(process.execPath, [BUILD, option, folder], { cwd: ROOT });
  return folder;
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe("the plugins as they are committed", () => {
  it.each([
    { option: "--classic", plugin: "plugin-classic" },
    { option: "--module", plugin: "plugin" },
  ] as const)("$plugin is what its sources build, byte for byte", ({ option, plugin }) => {
    const fresh = buildAnew(option);
    for (const file of listFiles(fresh)) {
      const built = readFileSync(path.join(fresh, file));
      const committed = readFileSync(path.join(ROOT, plugin, file));
      expect(built.equals(committed), `${plugin}/${file} is stale: run npm run build:plugins`).toBe(true);
    }
  });

  it("name no package and no Node in the module, and no package in the hooks", () => {
    const module = readFileSync(path.join(ROOT, "plugin/hooks/plimsoll.js"), "utf8");
    expect(module).not.toMatch(/^import /m);
    expect(module).not.toMatch(/\brequire\(|import\(/);
    for (const file of readdirSync(path.join(ROOT, "plugin-classic/dist"))) {
      const text = readFileSync(path.join(ROOT, "plugin-classic/dist", file), "utf8");
      const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = ""]) => name);
      expect(required.filter((name) => !name.startsWith("node:") && !name.startsWith("./"))).toEqual([]);
    }
  });

  it("start with little code: what every tool call loads is below 100 KB", () => {
    expect(readFileSync(path.join(ROOT, "plugin-classic/dist/hook.cjs")).length).toBeLessThan(100_000);
  });

  it("hold in each part what is loaded with it: none is empty, and folding does not load the whole session", () => {
    const dist = path.join(ROOT, "plugin-classic/dist");
    const sizes = Object.fromEntries(
      readdirSync(dist).map((file) => [file, readFileSync(path.join(dist, file)).length]),
    );
    expect(Object.entries(sizes).filter(([, bytes]) => bytes < 1000)).toEqual([]);
    expect(sizes["fold.cjs"]).toBeLessThan(100_000);
  });
});
