import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject, objectField, textField } from "../../../core/json.ts";
import { errorCode, renderFailure } from "../../../core/render-failure.ts";
import { listEntries } from "../../../files/list-files.ts";
import { readOwnLayer, readProjectLayer, SETTINGS_NAME } from "../../../files/project-settings.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { HOSTS } from "../../../hosts/catalogue.ts";
import {
  hasOurHooks,
  listEnabled,
  listSettingsFiles,
  locateSettings,
} from "../../../hosts/claude-code/disk/installed.ts";
import { projects } from "../../../hosts/claude-code/disk/projects.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import { parseSettings, type Settings } from "../../../policy/settings/settings.ts";
import { CliError, type Terminal } from "../command.ts";
import type { Problem } from "../install/agents/agent.ts";
import { MARKETPLACE, PLUGIN_FOLDERS, type PluginName } from "../install/find-package.ts";
import { readSettingsFile, type SettingsFile } from "../install/settings-file.ts";
import { isClosed } from "../require-session.ts";

export interface Installed {
  readonly configFolder: string;
  readonly settings: readonly SettingsFile[];
  /** Descriptions of settings files that cannot be read. */
  readonly broken: readonly string[];
  readonly plugins: readonly PluginName[];
  readonly hasSettingsHooks: boolean;
  /** The marketplace's folder according to the settings; `undefined` if none is named or it is not a local folder. */
  readonly root: string | undefined;
}

/** Reads what the client's settings, from the person's to the organisation's, say about us. */
export function readInstalled(place: Pick<Terminal, "environment" | "directory">): Installed {
  const settings: SettingsFile[] = [];
  const broken: string[] = [];
  for (const name of listSettingsFiles(place)) {
    try {
      const file = readSettingsFile(name);
      if (file.text !== undefined) settings.push(file);
    } catch (error) {
      if (!(error instanceof CliError) && errorCode(error) === "") throw error;
      broken.push(renderFailure(error));
    }
  }
  const roots = settings.map(({ settings: { extraKnownMarketplaces: known } }) => {
    const ours = isObject(known) ? objectField(known, MARKETPLACE) : undefined;
    return textField(objectField(ours ?? {}, "source") ?? {}, "path");
  });
  return {
    configFolder: locateSettings(place).configFolder,
    settings,
    broken,
    plugins: [...new Set(settings.flatMap((file) => listEnabled(file.settings)))],
    hasSettingsHooks: settings.some((file) => hasOurHooks(file.settings)),
    root: roots.find((root) => root !== ""),
  };
}

const NEEDED: Readonly<Record<PluginName, readonly string[]>> = {
  module: [".claude-plugin/plugin.json", "hooks/hooks.json", "hooks/plimsoll.js"],
  classic: [".claude-plugin/plugin.json", "hooks/hooks.json", "dist/hook.cjs"],
};

export function listMissing(root: string, plugin: PluginName): readonly string[] {
  return NEEDED[plugin]
    .map((file) => path.join(root, PLUGIN_FOLDERS[plugin], file))
    .filter((file) => !existsSync(file));
}

export function listClassicEvents(root: string): readonly string[] {
  // A missing file is reported elsewhere.
  const value = readObject(path.join(root, PLUGIN_FOLDERS.classic, "hooks", "hooks.json")) ?? {};
  return Object.keys(objectField(value, "hooks") ?? {});
}

/** Why nothing can be stored in the data folder; `undefined` if it can. Tries it, because file modes do not tell everything. */
export function probeData(configFolder: string): string | undefined {
  const data = locateData(configFolder);
  const nearest = listUpwards(data).find((folder) => existsSync(folder)) ?? data;
  try {
    if (!statSync(nearest).isDirectory()) return `${nearest} is not a folder`;
    if (nearest !== data) return void accessSync(nearest, constants.W_OK | constants.X_OK);
    const probe = path.join(data, `.doctor-${process.pid}`);
    mkdirSync(probe);
    rmSync(probe, { recursive: true });
    return undefined;
  } catch (error) {
    return renderFailure(error);
  }
}

function listUpwards(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...listUpwards(parent)];
}

/** What bars the way to recorded sessions, a folder of them or one above, and what opens it: no figure has what is behind it. */
export function listClosed({ environment, hosts = HOSTS }: Terminal): readonly Problem[] {
  const closed = hosts.flatMap((host) => findClosed(host.locateTranscripts(environment), host.usesDatabase));
  const bars = closed.map((folder) => listUpwards(folder).find((each) => existsSync(each)) ?? folder);
  return [...new Set(bars)].map((what) => {
    const quoted = `'${what.replaceAll("'", "'\\''")}'`;
    if (statSync(what).uid === process.getuid?.()) return { what, fix: `chmod -R u+rwX ${quoted}` };
    // What is not below the person's home may be another's by right.
    const isBelow = what.startsWith(path.join(environment.HOME || "~", path.sep));
    return { what, fix: isBelow ? `sudo chown -R "$USER" ${quoted}` : `ask the owner of ${quoted}` };
  });
}

function findClosed(folder: string, isLast = false): readonly string[] {
  if (isClosed(folder)) return [folder];
  const inside = isLast ? [] : listEntries(folder).filter((entry) => entry.isDirectory());
  return inside.flatMap(({ name }) => findClosed(path.join(folder, name)));
}

export function findLastSession(configFolder: string): number | undefined {
  return projects.listTranscripts(path.join(configFolder, "projects"))[0]?.modifiedMs;
}

export interface OwnSettings {
  readonly settings: Settings;
  readonly files: readonly string[];
  /** Settings that were not understood, each with its file. */
  readonly warnings: readonly string[];
}

/** The person's settings for Plimsoll itself, in the order in which the entry points read them. */
export function readOwnSettings(configFolder: string, directory: string): OwnSettings {
  const own = path.join(configFolder, "plimsoll.json");
  const places = [
    [own, readOwnLayer(own)],
    [path.join(directory, SETTINGS_NAME), readProjectLayer(directory, locateData(configFolder))],
  ] as const;
  const layers: JsonObject[] = [{}, {}];
  const warnings: string[] = [];
  const files: string[] = [];
  for (const [index, [file, read]] of places.entries()) {
    if (read === undefined) continue;
    files.push(file);
    if ("problem" in read) warnings.push(`${file}: ${read.problem}`);
    else {
      layers[index] = read.layer;
      const known = index === 0 ? [] : parseSettings(layers.slice(0, 1)).warnings;
      const fresh = parseSettings(layers, 1).warnings.slice(known.length);
      warnings.push(...fresh.map((warning) => `${file}: ${warning}`));
    }
  }
  return { settings: parseSettings(layers, 1).settings, files, warnings };
}
