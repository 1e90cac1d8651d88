import { join } from "node:path";
import { countField, isObject } from "../../../core/json-fields.ts";
import type { CompactionSettings } from "../../../measure/compaction-point.ts";
import { readRegularFile } from "./read-regular-file.ts";

/** Settings are written by hand. */
const MAX_BYTES = 1 << 20;

/** What the person told the client about compaction: variables first, then the project's settings, then their own. */
export function readCompactionSettings(
  environment: Readonly<Record<string, string | undefined>>,
  folders: { readonly clientHome: string; readonly project: string },
): CompactionSettings {
  const files = [
    join(folders.project, ".claude", "settings.local.json"),
    join(folders.project, ".claude", "settings.json"),
    join(folders.clientHome, "settings.json"),
  ];
  const windowTokens =
    readNumber(environment.CLAUDE_CODE_AUTO_COMPACT_WINDOW) ??
    files.map(readAutoCompactWindow).find((tokens) => tokens !== undefined);
  const percent = readNumber(environment.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
  return { ...(windowTokens === undefined ? {} : { windowTokens }), ...(percent === undefined ? {} : { percent }) };
}

function readNumber(text: string | undefined): number | undefined {
  const value = Number(text);
  return text !== undefined && text !== "" && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Settings that are absent or broken are the client's business: here they only mean that nothing is set. */
function readAutoCompactWindow(file: string): number | undefined {
  try {
    const settings: unknown = JSON.parse(readRegularFile(file, MAX_BYTES) ?? "null");
    return (isObject(settings) && countField(settings, "autoCompactWindow")) || undefined;
  } catch {
    return undefined;
  }
}
