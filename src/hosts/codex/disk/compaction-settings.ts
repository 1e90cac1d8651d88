import path from "node:path";
import { readQuietly } from "../../../files/read-regular-file.ts";
import type { CompactionSettings } from "../../../measure/compaction-point.ts";
import type { Environment } from "../../host.ts";
import { rollouts } from "./rollouts.ts";

/** Settings are written by hand. */
const MAX_BYTES = 1 << 20;

/** Codex compacts at nine tenths of the window, or earlier if the person has set that. */
export function readCompactionSettings(environment: Environment): CompactionSettings {
  const file = readQuietly(path.join(rollouts.locateHome(environment), "config.toml"), MAX_BYTES);
  // The part above the first table: settings that belong to no profile or provider.
  const [settings = ""] = file.split(/^\s{0,99}\[/m, 1);
  const window = findNumber(settings, "model_context_window");
  const limit = findNumber(settings, "model_auto_compact_token_limit");
  return { locate: (windowTokens) => Math.min(limit ?? windowTokens, Math.floor((window ?? windowTokens) * 0.9)) };
}

function findNumber(text: string, key: string): number | undefined {
  const found = new RegExp(`^[ \\t]{0,99}${key}[ \\t]{0,99}=[ \\t]{0,99}(\\d[\\d_]{0,20})`, "m").exec(text)?.[1];
  const value = Number(found?.replaceAll("_", ""));
  return value > 0 ? value : undefined;
}
