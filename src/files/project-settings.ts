import { isObject, type JsonObject } from "../core/json.ts";
import { locateTrust, readAgreedFile } from "./node-agreement.ts";

/** Where a project's own settings are, from its folder. */
export const SETTINGS_NAME = ".plimsoll/settings.json";

const MAX_BYTES = 1 << 16;

export type SettingsLayer = { readonly layer: JsonObject } | { readonly problem: string };

/** What a project is set to, if the person agreed to it; `undefined` where there is no file. */
export function readProjectLayer(project: string, dataFolder: string): SettingsLayer | undefined {
  if (project === "") return undefined;
  const found = readAgreedFile(locateTrust(project, dataFolder), SETTINGS_NAME, MAX_BYTES);
  if (found === undefined) return undefined;
  return found.problem === undefined
    ? parseLayer(found.text)
    : { problem: `the file ${found.problem}, so the defaults apply` };
}

/** An entry point has no time for problems: doctor names them. */
export function layerOf(read: SettingsLayer | undefined): JsonObject {
  return read !== undefined && "layer" in read ? read.layer : {};
}

export function parseLayer(text: string): SettingsLayer {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { layer: value } : { problem: "not a JSON object, so the defaults apply" };
  } catch (error) {
    return { problem: `not valid JSON (${error instanceof Error ? error.message : error}), so the defaults apply` };
  }
}
