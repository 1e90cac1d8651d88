import path from "node:path";
import { locateData } from "../policy/deeds/data-paths.ts";
import { DEFAULT_SETTINGS, parseSettings, type Settings } from "../policy/settings/settings.ts";
import { layerOf, readOwnLayer, readProjectLayer } from "./project-settings.ts";

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
