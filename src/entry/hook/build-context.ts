import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { readObject } from "../../files/read-regular-file.ts";
import type { HookEvent } from "../../hosts/claude-code/hook-input.ts";
import { locateSession } from "../../policy/actions/data-paths.ts";
import { parseSettings } from "../../policy/settings/settings.ts";
import type { HookContext } from "./hook.ts";

const MAX_SETTINGS_BYTES = 1 << 16;

export function locatePlaces(input: HookEvent, env: HookContext["env"]): Pick<HookContext, "configFolder" | "project"> {
  // Without `node:os`: it returns that variable if it is set.
  const configFolder = env.CLAUDE_CONFIG_DIR || join(env.HOME || env.USERPROFILE || "/", ".claude");
  return { configFolder, project: env.CLAUDE_PROJECT_DIR || input.directory };
}

/** Paths and settings for an event; `inProject` is what the person agreed to for the project. */
export function buildContext(input: HookEvent, env: HookContext["env"], inProject: JsonObject): HookContext {
  const { configFolder, project } = locatePlaces(input, env);
  const own = readObject(join(configFolder, "plimsoll.json"), MAX_SETTINGS_BYTES) ?? {};
  const { settings } = parseSettings([own, inProject], 1);
  return {
    ...input,
    nowMs: Date.now,
    configFolder,
    project,
    pluginRoot: env.CLAUDE_PLUGIN_ROOT || dirname(dirname(process.argv[1] ?? "")),
    folder: settings.isOn ? makeFolder(configFolder, input.sessionId) : undefined,
    settings,
    env,
  };
}

function makeFolder(configFolder: string, sessionId: string): string | undefined {
  const folder = locateSession(configFolder, sessionId);
  if (folder === undefined) return undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch {
    // Read-only or full: the event is handled all the same, and the journal records it elsewhere.
    return undefined;
  }
}
