import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isObject } from "../../core/json-fields.ts";
import type { ToldLimit } from "../../measure/project-limit.ts";
import { locateData, SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { parseLimits } from "../../policy/rules/rate-limits.ts";

/** Of the newest sessions only: an account has one state, and the last who was told it knows it best. */
const LOOKED_AT = 20;

/** The account's limits as the client last told any session's status line; none where it never did, with an API key for instance. */
export function readToldLimits(configFolder: string): readonly ToldLimit[] {
  const root = path.join(locateData(configFolder), "sessions");
  const files = list(root)
    .flatMap((name) => describe(path.join(root, name, SESSION_FILES.reading)))
    .sort((left, right) => right.modifiedMs - left.modifiedMs);
  for (const { file } of files.slice(0, LOOKED_AT)) {
    const reading = readJson(file);
    const limits = isObject(reading) ? parseLimits(reading) : [];
    if (limits.length > 0) return limits;
  }
  return [];
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function describe(file: string): readonly { readonly file: string; readonly modifiedMs: number }[] {
  const status = statSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true ? [{ file, modifiedMs: status.mtimeMs }] : [];
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
