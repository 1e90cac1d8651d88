import path from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json-fields.ts";
import { readPlainFile } from "../../../files/private-files.ts";
import { parseSettings, type Settings } from "../../../policy/settings/settings.ts";

const MAX_BYTES = 1 << 16;

export interface OwnSettings {
  readonly settings: Settings;
  readonly files: readonly string[];
  /** What was written and not understood, each with its file. */
  readonly warnings: readonly string[];
}

/** What the person has set for Plimsoll itself, in the order in which the doors read it. */
export function readOwnSettings(configFolder: string, directory: string): OwnSettings {
  const places = [path.join(configFolder, "plimsoll.json"), path.join(directory, ".plimsoll", "settings.json")];
  const layers: JsonObject[] = [{}, {}];
  const warnings: string[] = [];
  const files: string[] = [];
  for (const [index, file] of places.entries()) {
    const layer = readLayer(file);
    if (layer === undefined) continue;
    files.push(file);
    if (typeof layer === "string") warnings.push(`${file}: ${layer}`);
    else {
      layers[index] = layer;
      const known = index === 0 ? [] : parseSettings(layers.slice(0, 1)).warnings;
      const told = parseSettings(layers, 1).warnings.slice(known.length);
      warnings.push(...told.map((warning) => `${file}: ${warning}`));
    }
  }
  return { settings: parseSettings(layers, 1).settings, files, warnings };
}

function readLayer(file: string): JsonObject | string | undefined {
  const found = readPlainFile(file, MAX_BYTES);
  if (found === undefined) return undefined;
  if (found.problem !== undefined) return `the file ${found.problem}, so the defaults stand`;
  try {
    const value: unknown = JSON.parse(found.text);
    return isObject(value) ? value : "write a JSON object; until then the defaults stand";
  } catch (error) {
    return `not valid JSON (${error instanceof Error ? error.message : error}), so the defaults stand`;
  }
}
