import type { CompactionSettings } from "../../../measure/compaction-point.ts";
import { readCompactionSettings } from "../clients/claude-code/client.ts";
import type { HookContext } from "../hook.ts";

/** Where the window counts as full: what the client is set to, and the person's own line where it is nearer. */
export function readLineSettings({ env, configFolder, project, settings }: HookContext): CompactionSettings {
  const ofClient = readCompactionSettings(env, { clientHome: configFolder, project });
  return settings.lineTokens === null ? ofClient : { ...ofClient, lineTokens: settings.lineTokens };
}
