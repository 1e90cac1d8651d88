import { join } from "node:path";
import { readQuietly } from "../../../files/read-regular-file.ts";
import type { CompactionSettings } from "../../../measure/compaction-point.ts";
import { parseCompactionSettings } from "../parse-compaction-settings.ts";

/** Settings are written by hand. */
const MAX_BYTES = 1 << 20;

/** The person's settings for compaction in the client: variables first, then the project's settings, then their own. */
export function readCompactionSettings(
  environment: Readonly<Record<string, string | undefined>>,
  folders: { readonly clientHome: string; readonly project: string },
): CompactionSettings {
  const files = [
    join(folders.project, ".claude", "settings.local.json"),
    join(folders.project, ".claude", "settings.json"),
    join(folders.clientHome, "settings.json"),
  ];
  return parseCompactionSettings({
    window: environment.CLAUDE_CODE_AUTO_COMPACT_WINDOW,
    percent: environment.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE,
    files: files.map((file) => readQuietly(file, MAX_BYTES)),
  });
}
