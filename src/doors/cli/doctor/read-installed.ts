import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type JsonObject, objectField, textField } from "../../../core/json.ts";
import { errorCode, renderFailure } from "../../../core/render-failure.ts";
import { readOwnLayer, readProjectLayer, SETTINGS_NAME } from "../../../files/project-settings.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { listTranscripts } from "../../../hosts/claude-code/disk/projects.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { parseSettings, type Settings } from "../../../policy/settings/settings.ts";
import { CliError, type Terminal } from "../command.ts";
import { MARKETPLACE, PLUGIN_FOLDERS, type PluginName } from "../install/find-package.ts";
import { planHooksRemoval } from "../install/plan-settings.ts";
import { listEnabled, locateSettings, readSettingsFile, type SettingsFile } from "../install/settings-file.ts";

export interface Installed {
  readonly configFolder: string;
  readonly settings: readonly SettingsFile[];
  /** Settings files that cannot be read, in words. */
  readonly broken: readonly string[];
  readonly plugins: readonly PluginName[];
  readonly hasSettingsHooks: boolean;
  /** Where the marketplace is said to lie; `undefined` where none is named or it is no folder of this machine. */
  readonly root: string | undefined;
}

const MANAGED: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
};
const MANAGED_ELSEWHERE = "/etc/claude-code/managed-settings.json";

/** What the client's settings, from the person's own to the organisation's, say about us. */
export function readInstalled(place: Pick<Terminal, "environment" | "directory">): Installed {
  const { configFolder, user, project } = locateSettings(place);
  const places = [user, project, path.join(path.dirname(project), "settings.local.json"), locateManaged()];
  const settings: SettingsFile[] = [];
  const broken: string[] = [];
  for (const place of new Set(places)) {
    try {
      const file = readSettingsFile(place);
      if (file.text !== undefined) settings.push(file);
    } catch (error) {
      if (!(error instanceof CliError) && errorCode(error) === "") throw error;
      broken.push(renderFailure(error));
    }
  }
  return {
    configFolder,
    settings,
    broken,
    plugins: [...new Set(settings.flatMap(listEnabled))],
    hasSettingsHooks: settings.some((file) => planHooksRemoval(file.settings).length > 0),
    root: settings.map(({ settings }) => findRoot(settings)).find((root) => root !== undefined),
  };
}

export function locateManaged(): string {
  return MANAGED[process.platform] ?? MANAGED_ELSEWHERE;
}

function findRoot(settings: JsonObject): string | undefined {
  const known = objectField(objectField(settings, "extraKnownMarketplaces") ?? {}, MARKETPLACE) ?? {};
  return textField(objectField(known, "source") ?? {}, "path") || undefined;
}

const NEEDED: Readonly<Record<PluginName, readonly string[]>> = {
  module: [".claude-plugin/plugin.json", "hooks/hooks.json", "hooks/plimsoll.js"],
  classic: [".claude-plugin/plugin.json", "hooks/hooks.json", "dist/hook.cjs"],
};

/** Files that a plugin cannot do without and that are not there. */
export function listMissing(root: string, plugin: PluginName): readonly string[] {
  return NEEDED[plugin]
    .map((file) => path.join(root, PLUGIN_FOLDERS[plugin], file))
    .filter((file) => !existsSync(file));
}

/** What the command hooks stand on, by their own file. */
export function listClassicEvents(root: string): readonly string[] {
  // That it is missing is said elsewhere.
  const value = readObject(path.join(root, PLUGIN_FOLDERS.classic, "hooks", "hooks.json")) ?? {};
  return Object.keys(objectField(value, "hooks") ?? {});
}

/** Why nothing can be kept in the data folder; `undefined` where it can. Asked by trying, for no mode tells the whole truth. */
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

/** When a session of the client last wrote something. */
export function findLastSession(configFolder: string): number | undefined {
  return listTranscripts(path.join(configFolder, "projects"))[0]?.modifiedMs;
}

export interface OwnSettings {
  readonly settings: Settings;
  readonly files: readonly string[];
  /** What was written and not understood, each with its file. */
  readonly warnings: readonly string[];
}

/** What the person has set for Plimsoll itself, in the order in which the doors read it. */
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
      const told = parseSettings(layers, 1).warnings.slice(known.length);
      warnings.push(...told.map((warning) => `${file}: ${warning}`));
    }
  }
  return { settings: parseSettings(layers, 1).settings, files, warnings };
}
