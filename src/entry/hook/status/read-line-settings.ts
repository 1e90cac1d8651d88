import type { CompactionSettings } from "../../../measure/compaction-point.ts";
import { readCompactionSettings } from "../clients/claude-code/client.ts";
import type { HookContext } from "../hook.ts";

/** Where the window counts as full: the client's setting, or the person's own line if that is lower. */
export function readLineSettings({ env, configFolder, project, settings }: HookContext): CompactionSettings {
  const ofClient = readCompactionSettings(env, { clientHome: configFolder, project });
  return settings.lineTokens === null ? ofClient : { ...ofClient, lineTokens: settings.lineTokens };
}
