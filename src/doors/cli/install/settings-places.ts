import path from "node:path";
import { objectField } from "../../../core/json-fields.ts";
import { locateClientHome } from "../../../hosts/claude-code/disk/projects.ts";
import { CliError, type Terminal } from "../command.ts";
import { PLUGIN_IDS, PLUGIN_NAMES, type PluginName } from "./plugin-names.ts";
import type { SettingsFile } from "./settings-file.ts";

export interface Places {
  readonly configFolder: string;
  readonly user: string;
  readonly project: string;
}

/** Where the client reads its settings from. */
export function locateSettings({ environment, directory }: Pick<Terminal, "environment" | "directory">): Places {
  const configFolder = locateClientHome(environment);
  return {
    configFolder,
    user: path.join(configFolder, "settings.json"),
    project: path.join(directory, ".claude", "settings.json"),
  };
}

export function requireApart({ user, project }: Places): void {
  if (user === project)
    throw new CliError("here the project's settings are your own: go into a project, or leave out --scope project");
}

/** The plugins of ours that a settings file switches on. */
export function listEnabled({ settings }: Pick<SettingsFile, "settings">): readonly PluginName[] {
  const enabled = objectField(settings, "enabledPlugins") ?? {};
  return PLUGIN_NAMES.filter((name) => enabled[PLUGIN_IDS[name]] === true);
}
