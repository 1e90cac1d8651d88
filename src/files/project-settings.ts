import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject } from "../core/json.ts";
import { errorCode } from "../core/render-failure.ts";
import { locateData } from "../policy/actions/data-paths.ts";
import { DEFAULT_SETTINGS, parseSettings, type Settings } from "../policy/settings/settings.ts";
import { locateTrust, readAgreedFile } from "./node-agreement.ts";
import { writeAtomically } from "./private-files.ts";
import { readRegularFile } from "./read-regular-file.ts";

export const SETTINGS_NAME = ".plimsoll/settings.json";

const MAX_BYTES = 1 << 16;

type SettingsLayer = { readonly layer: JsonObject } | { readonly problem: string };

/** A project's settings, if the person agreed to them; `undefined` if there is no file. */
export function readProjectLayer(project: string, dataFolder: string): SettingsLayer | undefined {
  if (project === "") return undefined;
  const found = readAgreedFile(locateTrust(project, dataFolder), SETTINGS_NAME, MAX_BYTES);
  if (found === undefined) return undefined;
  return found.problem === undefined
    ? parseLayer(found.text)
    : { problem: `the file ${found.problem}, so the defaults apply` };
}

/** Without problems, which an entry point has no time for: `plimsoll doctor` shows them. */
export function layerOf(read: SettingsLayer | undefined): JsonObject {
  return read !== undefined && "layer" in read ? read.layer : {};
}

function parseLayer(text: string): SettingsLayer {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { layer: value } : { problem: "not a JSON object, so the defaults apply" };
  } catch (error) {
    return { problem: `not valid JSON (${error instanceof Error ? error.message : error}), so the defaults apply` };
  }
}

/** The person's settings for all projects; `undefined` if there is no file. It may be a link of their own. */
export function readOwnLayer(file: string): SettingsLayer | undefined {
  try {
    const text = readRegularFile(file, MAX_BYTES);
    if (text !== undefined) return parseLayer(text);
    const problem = `not a regular file of at most ${MAX_BYTES} bytes, so the defaults apply`;
    return existsSync(file) ? { problem } : undefined;
  } catch (error) {
    return { problem: `the file cannot be read (${errorCode(error)}), so the defaults apply` };
  }
}

/** Leaves every other setting in the person's file as it is written. Returns why that failed; `undefined` if it did not. */
export function saveOwnSetting(file: string, setting: JsonObject): string | undefined {
  const own = readOwnLayer(file);
  if (own !== undefined && "problem" in own) return own.problem;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${JSON.stringify({ ...own?.layer, ...setting }, undefined, 2)}\n`);
  return undefined;
}

export interface ReadSettings {
  readonly settings: Settings;
  /** Why the project's own settings are not used; empty if they are, or if there are none. */
  readonly settingsProblem: string;
}

/** The person's settings, then the project's as far as the person agreed to them. */
export function readSettings(
  { PLIMSOLL_OFF = "" }: Readonly<Record<string, string | undefined>>,
  configFolder: string,
  project: string,
): ReadSettings {
  if (PLIMSOLL_OFF !== "") return { settings: { ...DEFAULT_SETTINGS, isOn: false }, settingsProblem: "" };
  const own = layerOf(readOwnLayer(path.join(configFolder, "plimsoll.json")));
  const inProject = readProjectLayer(project, locateData(configFolder));
  const problem = inProject !== undefined && "problem" in inProject ? inProject.problem : "";
  return {
    settings: parseSettings([own, layerOf(inProject)], 1).settings,
    settingsProblem: problem === "" ? "" : `.plimsoll/settings.json: ${problem}`,
  };
}
