import { cpSync, existsSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { PluginName } from "../../../hosts/claude-code/disk/installed.ts";
import { CliError } from "../command.ts";

export { MARKETPLACE, PLUGIN_IDS, PLUGIN_NAMES, type PluginName } from "../../../hosts/claude-code/disk/installed.ts";

const MANIFEST = path.join(".claude-plugin", "marketplace.json");

/** The folder that contains the plugins. Searched upwards from the running file, so the package may be anywhere. */
export function findPackage(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, MANIFEST))) {
    const parent = path.dirname(folder);
    if (parent === folder)
      throw new CliError("this copy has no plugins: install the complete package with npm install -g plimsoll");
    folder = parent;
  }
  return folder;
}

/** Whether npm may clear the folder: a client that runs plugins from there would lose them one day. */
export function isPassing(folder: string): boolean {
  return folder.split(path.sep).includes("_npx");
}

export function copyPackage(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  for (const part of [".claude-plugin", ...Object.values(PLUGIN_FOLDERS)])
    if (existsSync(path.join(from, part))) cpSync(path.join(from, part), path.join(to, part), { recursive: true });
}

export const PLUGIN_FOLDERS: Readonly<Record<PluginName, string>> = { module: "plugin", classic: "plugin-classic" };
