import path from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { readOwnLayer } from "../../../files/own-settings.ts";
import { readProjectLayer, SETTINGS_NAME } from "../../../files/project-settings.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { parseSettings, type Settings } from "../../../policy/settings/settings.ts";

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
