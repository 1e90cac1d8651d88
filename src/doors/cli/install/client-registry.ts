import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { isObject, listField, objectField, textField } from "../../../core/json-fields.ts";
import { MARKETPLACE, PLUGIN_IDS, PLUGIN_NAMES, type PluginName, type PluginScope } from "./plugin-names.ts";

/** What the client has in its own books about us. Read only: the client keeps them, and is asked to when it matters. */
export interface Registry {
  /** The folder that our marketplace is known by; `undefined` where it is not known. */
  readonly root: string | undefined;
  readonly plugins: readonly PluginName[];
}

export interface RegistryPlace {
  readonly configFolder: string;
  readonly scope: PluginScope;
  /** The project, for its scope. */
  readonly directory: string;
}

export function readRegistry({ configFolder, scope, directory }: RegistryPlace): Registry {
  const folder = path.join(configFolder, "plugins");
  const known = objectField(readJson(path.join(folder, "known_marketplaces.json")), MARKETPLACE);
  const installed = objectField(readJson(path.join(folder, "installed_plugins.json")), "plugins") ?? {};
  const isHere = (entry: JsonObject): boolean =>
    textField(entry, "scope") === scope && (scope === "user" || textField(entry, "projectPath") === directory);
  return {
    root: known && textField(known, "installLocation"),
    plugins: PLUGIN_NAMES.filter((name) => listField(installed, PLUGIN_IDS[name]).filter(isObject).some(isHere)),
  };
}

function readJson(file: string): JsonObject {
  try {
    const value: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    return isObject(value) ? value : {};
  } catch {
    // Where they cannot be read, nothing in them is known.
    return {};
  }
}
