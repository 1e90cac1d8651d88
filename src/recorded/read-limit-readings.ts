import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isObject, numberField, objectField } from "../core/json-fields.ts";
import type { LimitReading } from "../measure/list-limit-moves.ts";
import { locateData, SESSION_FILES } from "../policy/deeds/data-paths.ts";

/** What the status lines of all sessions have kept of the limit of five hours: it moves the most. */
export function readLimitReadings(configFolder: string): readonly LimitReading[] {
  const folder = path.join(locateData(configFolder), "sessions");
  return listNames(folder).flatMap((name) =>
    readLines(path.join(folder, name, SESSION_FILES.limits)).flatMap(parseReading),
  );
}

function parseReading(line: string): readonly LimitReading[] {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return [];
    const limit = objectField(objectField(value, "rate_limits") ?? {}, "five_hour") ?? {};
    const [atMs, usedPercent] = [numberField(value, "atMs"), numberField(limit, "used_percentage")];
    if (atMs === undefined || usedPercent === undefined) return [];
    return [{ atMs, usedPercent, resetsAt: numberField(limit, "resets_at") }];
  } catch {
    return [];
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
