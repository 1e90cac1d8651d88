import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";
import { openAgreedFiles } from "../../files/agreed-files.ts";
import { locateData } from "../../policy/deeds/data-paths.ts";
import { DEFAULT_SETTINGS, parseSettings, type Settings } from "../../policy/settings/settings.ts";
import type { Engine } from "./engine.ts";
import { engineProjectFiles } from "./engine-project-files.ts";
import { readRegular } from "./read-regular.ts";

const MAX_SETTINGS_BYTES = 1 << 16;

/** The person's settings, then the project's, as far as the person agreed to them. */
export async function readSettings($: Engine, configFolder: string, root: string): Promise<Settings> {
  if (((await $.env.get("PLIMSOLL_OFF")) ?? "") !== "") return { ...DEFAULT_SETTINGS, isOn: false };
  const files = openAgreedFiles(engineProjectFiles($), { project: root, dataFolder: locateData(configFolder) });
  const [person, found] = await Promise.all([
    readRegular($, `${configFolder}/plimsoll.json`).catch(() => ""),
    (await hasLink($, root)) ? undefined : files.read(`${root}/.plimsoll/settings.json`, MAX_SETTINGS_BYTES),
  ]);
  const project = found !== undefined && "text" in found ? found.text : "";
  return parseSettings([parseObject(person), parseObject(project)], 1).settings;
}

/** A repository may come with a link in this place, and what we store must not end up where it leads. */
async function hasLink($: Engine, root: string): Promise<boolean> {
  const stat = await $.fs.stat(`${root}/.plimsoll`).catch(() => undefined);
  return stat?.isLink === true;
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
