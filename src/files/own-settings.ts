import { existsSync } from "node:fs";
import { errorCode } from "../core/render-failure.ts";
import { parseLayer, type SettingsLayer } from "./project-settings.ts";
import { readRegularFile } from "./read-regular-file.ts";

const MAX_BYTES = 1 << 16;

/** The person's settings for all projects; `undefined` where there is no file. They may keep it behind a link of their own. */
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
