/** If red: the published package lacks modules, brings others along, or ships a test. */
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
const PLUGINS = ["plugin/.claude-plugin/plugin.json", "plugin-classic/.claude-plugin/plugin.json"] as const;
const { name } = createTemporaryFolder();

interface PackedFile {
  readonly path: string;
  readonly size: number;
}

function listPacked(): readonly PackedFile[] {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return JSON.parse(stdout)[0].files;
}

/** What a file takes of a disk, at least; so does a folder. */
const BLOCK_BYTES = 4096;

describe("the package as it is published", () => {
  const files = listPacked();
  const names = new Set(files.map((file) => file.path));

  it("brings no other package along", () => {
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"])
      expect(manifest[kind], kind).toBeUndefined();
  });

  it("takes less than 10 MB of a disk", () => {
    const folders = new Set(files.map((file) => path.dirname(file.path)));
    const blocks = files.reduce((sum, { size }) => sum + Math.ceil(size / BLOCK_BYTES), folders.size);
    expect(blocks * BLOCK_BYTES).toBeLessThan(10e6);
  });

  it("holds whatever its manifest names", () => {
    const named = [manifest.bin.plimsoll, ...manifest.man, ...Object.values<string>(manifest.exports)];
    expect(named.map((name) => path.normalize(name)).filter((name) => !names.has(name))).toEqual([]);
  });

  it("holds every module that one of its modules imports, by its code and by its types, and no package's", () => {
    const modules = files.filter(
      ({ path: name }) => /^dist\/.*\.(?:js|d\.ts)$/.test(name) && name !== "dist/page/page.js",
    );
    const missing: string[] = [];
    for (const { path: name } of modules) {
      const text = readFileSync(path.join(ROOT, name), "utf8");
      const isTypes = name.endsWith(".d.ts");
      for (const [, target = ""] of text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([\w@./:-]+)"/g)) {
        if (target.startsWith("node:")) continue;
        const found = path.join(path.dirname(name), isTypes ? target.replace(/\.ts$/, ".d.ts") : target);
        if (!target.startsWith(".") || !names.has(found)) missing.push(`${name}: ${target}`);
      }
    }
    expect(modules.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  it("holds no source, no test, no figure of a benchmark and nothing recorded but the sample", () => {
    const foreign = /\.test\.|\.tsx?$|^(?:src|test|bench|scripts|docs|node_modules)\//;
    expect([...names].filter((name) => foreign.test(name) && !name.endsWith(".d.ts"))).toEqual([]);
    expect([...names].filter((name) => name.endsWith(".jsonl") && !name.startsWith("samples/"))).toEqual([]);
  });

  it("is ready for a registry and for a directory of plugins", () => {
    expect(manifest).toMatchObject({
      license: "MIT",
      engines: { node: ">=20" },
      publishConfig: { access: "public", provenance: true },
    });
    for (const name of ["LICENSE", "README.md", "CHANGELOG.md"]) expect([...names]).toContain(name);
    const { plugins } = readJson(".claude-plugin/marketplace.json");
    for (const { name, source, description, category } of plugins) {
      const folder = path.normalize(source);
      const plugin = readJson(`${folder}/.claude-plugin/plugin.json`);
      expect(plugin).toMatchObject({ name, version: manifest.version, license: "MIT", author: { name: "Plimsoll" } });
      expect([plugin.description.length, description.length, category.length].every((length) => length > 0)).toBe(true);
      for (const file of ["LICENSE", "README.md", ".claude-plugin/icon.png"])
        expect([...names]).toContain(`${folder}/${file}`);
    }
  });
});

/** A copy of what the check before a publication looks at. */
function copyManifests(): string {
  const folder = name("");
  for (const file of ["package.json", "CHANGELOG.md", ...PLUGINS])
    cpSync(path.join(ROOT, file), path.join(folder, file));
  return folder;
}

function askReady(folder: string, words: readonly string[] = []) {
  const script = path.join(ROOT, "scripts/ready-to-publish.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, ...words], { cwd: folder, encoding: "utf8" });
  return { status, stderr };
}

describe("a publication", () => {
  it("is refused where no repository is named, and goes on once it is, everywhere the same", () => {
    const folder = copyManifests();
    appendFileSync(path.join(folder, "CHANGELOG.md"), `\n## ${manifest.version}\n`);
    expect(askReady(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining("names no repository") });
    expect(askReady(folder, ["https://ships.example/harbour/plimsoll.git"])).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"))).toMatchObject({
      repository: { type: "git", url: "git+https://ships.example/harbour/plimsoll.git" },
      homepage: "https://ships.example/harbour/plimsoll#readme",
      bugs: "https://ships.example/harbour/plimsoll/issues",
    });
    for (const file of PLUGINS)
      expect(JSON.parse(readFileSync(path.join(folder, file), "utf8")).repository).toBe(
        "https://ships.example/harbour/plimsoll",
      );
  });

  it.each([
    ["a version of its own", (text: string) => text.replace(/"version": "[^"]+"/, '"version": "9.9.9"'), "is 9.9.9"],
    ["another repository", (text: string) => text.replaceAll("harbour/", "pirates/"), "names another repository"],
  ])("is refused where a plugin has %s", (_, change, why) => {
    const folder = copyManifests();
    askReady(folder, ["https://ships.example/harbour/plimsoll"]);
    const file = path.join(folder, PLUGINS[0]);
    writeFileSync(file, change(readFileSync(file, "utf8")));
    expect(askReady(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining(why) });
  });

  it("is refused where the changes of its version are not told", () => {
    const folder = copyManifests();
    writeFileSync(path.join(folder, "CHANGELOG.md"), "# Changelog\n");
    expect(askReady(folder).stderr).toContain(`has no section "## ${manifest.version}"`);
  });
});

function readJson(file: string) {
  return JSON.parse(readFileSync(path.join(ROOT, file), "utf8"));
}
