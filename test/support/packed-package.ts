import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Packs the package as it is published; the file lies in the folder. */
export function packPackage(folder: string): string {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const packed = spawnSync("npm", words, { cwd: ROOT, encoding: "utf8" });
  if (packed.status !== 0) throw new Error(`the package cannot be packed: ${packed.stderr}`);
  const [{ filename }] = JSON.parse(packed.stdout);
  return path.join(folder, filename);
}

/** Lays the packed package into the `node_modules` of a new project, with the SDKs that a builder has next to it. */
export function createBuildersProject(folder: string): string {
  const project = path.join(folder, "project");
  const modules = path.join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  const { status, stderr } = spawnSync("tar", ["-xzf", packPackage(folder), "-C", modules]);
  if (status !== 0) throw new Error(`the package cannot be unpacked: ${stderr}`);
  renameSync(path.join(modules, "package"), path.join(modules, "plimsoll"));
  for (const name of ["@anthropic-ai", "ai"])
    symlinkSync(path.join(ROOT, "node_modules", name), path.join(modules, name));
  writeFileSync(path.join(project, "package.json"), '{ "type": "module" }');
  return project;
}
