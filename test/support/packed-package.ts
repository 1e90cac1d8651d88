import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Packs the package as it is published, and lays it into the `node_modules` of a new project, with what a builder has beside it. */
export function createBuildersProject(folder: string): string {
  const project = path.join(folder, "project");
  const modules = path.join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  const packed = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const [{ filename }] = JSON.parse(packed.stdout);
  const { status, stderr } = spawnSync("tar", ["-xzf", path.join(folder, filename), "-C", modules]);
  if (status !== 0) throw new Error(`the package cannot be unpacked: ${stderr}`);
  renameSync(path.join(modules, "package"), path.join(modules, "plimsoll"));
  for (const name of ["@anthropic-ai", "ai", "@modelcontextprotocol", "pg"])
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name));
  writeFileSync(path.join(project, "package.json"), '{ "type": "module" }');
  return project;
}
