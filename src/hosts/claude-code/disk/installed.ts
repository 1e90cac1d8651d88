import path from "node:path";
import { isObject, type JsonObject, listField, objectField, parseObject, textField } from "../../../core/json.ts";
import { readQuietly } from "../../../files/read-regular-file.ts";
import { projects } from "./projects.ts";

/** Our name in the client. */
export const MARKETPLACE = "plimsoll";

export type PluginName = "module" | "classic";

export const PLUGIN_IDS: Readonly<Record<PluginName, string>> = {
  module: `plimsoll@${MARKETPLACE}`,
  classic: `plimsoll-classic@${MARKETPLACE}`,
};

export const PLUGIN_NAMES: readonly PluginName[] = ["module", "classic"];

interface Place {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

export type Places = Readonly<Record<"configFolder" | "user" | "project", string>>;

export function locateSettings({ environment, directory }: Place): Places {
  const configFolder = projects.locateHome(environment);
  return {
    configFolder,
    user: path.join(configFolder, "settings.json"),
    project: path.join(directory, ".claude", "settings.json"),
  };
}

const MANAGED: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
};
const MANAGED_ELSEWHERE = "/etc/claude-code/managed-settings.json";

export function locateManaged(): string {
  return MANAGED[process.platform] ?? MANAGED_ELSEWHERE;
}

/** The client's settings files that can switch us on, from the person's to the organisation's. */
export function listSettingsFiles(place: Place): readonly string[] {
  const { user, project } = locateSettings(place);
  return [...new Set([user, project, path.join(path.dirname(project), "settings.local.json"), locateManaged()])];
}

export function listEnabled(settings: JsonObject): readonly PluginName[] {
  const enabled = objectField(settings, "enabledPlugins") ?? {};
  return PLUGIN_NAMES.filter((name) => enabled[PLUGIN_IDS[name]] === true);
}

/** A comment to the shell, and how uninstalling finds exactly what we wrote. */
export const MARK = "# plimsoll";

export function isOurs(value: unknown): boolean {
  return isObject(value) && textField(value, "command").endsWith(MARK);
}

export function hasOurHooks(settings: JsonObject): boolean {
  return Object.values(objectField(settings, "hooks") ?? {}).some(
    (groups) =>
      Array.isArray(groups) && groups.some((group) => isObject(group) && listField(group, "hooks").some(isOurs)),
  );
}

/** Settings are written by hand, so a larger file is a mistake. */
export const MAX_SETTINGS_BYTES: number = 16 << 20;

/** A file that cannot be read says nothing. */
function readSettingsQuietly(file: string): JsonObject {
  return parseObject(readQuietly(file, MAX_SETTINGS_BYTES).replace(/^\uFEFF/, ""));
}

/** Which of our ways into the client its settings switch on. */
export function nameInstalled(place: Place): "module" | "hooks" | "nothing" {
  const settings = listSettingsFiles(place).map(readSettingsQuietly);
  const plugins = settings.flatMap(listEnabled);
  if (plugins.includes("module")) return "module";
  return plugins.length > 0 || settings.some(hasOurHooks) ? "hooks" : "nothing";
}

/** Where the client's settings say how long its cache lives. The variable for messages can only shorten what the setting gives to all. */
export const CACHE_LIFE_PLACES: Readonly<Record<"main" | "messages" | "subagents", readonly string[]>> = {
  main: ["promptCacheTtl"],
  messages: ["env", "CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL"],
  subagents: ["subagentPromptCacheTtl"],
};

/** Whether the client's settings or its environment already say how long its cache lives. */
export function hasCacheLife(environment: Place["environment"]): boolean {
  const settings = readSettingsQuietly(locateSettings({ environment, directory: "" }).user);
  const isSet = Object.values(CACHE_LIFE_PLACES).some(([first = "", second]) => {
    const found = settings[first];
    return second === undefined ? found !== undefined : isObject(found) && found[second] !== undefined;
  });
  return isSet || environment.CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL !== undefined;
}
