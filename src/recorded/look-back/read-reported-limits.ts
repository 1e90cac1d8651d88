import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { numberField, objectField, parseObject } from "../../core/json.ts";
import { listArtifactNames } from "../../files/artifacts/artifact-folder.ts";
import { readObject } from "../../files/read-regular-file.ts";
import type { ReportedLimit } from "../../measure/describe-limits.ts";
import type { LimitReading } from "../../measure/fit-weights.ts";
import { locateData, SESSION_FILES } from "../../policy/actions/data-paths.ts";
import { parseLimits } from "../../policy/rules/rate-limits.ts";

/** Only the newest sessions are read: an account has one state, and the latest session knows it best. */
const LOOKED_AT = 20;

/** The account's limits as the client last sent them to any status line; empty if it never did, for instance with an API key. */
export function readReportedLimits(configFolder: string): readonly ReportedLimit[] {
  const root = path.join(locateData(configFolder), "sessions");
  const files = listArtifactNames(root)
    .map((name) => path.join(root, name, SESSION_FILES.reading))
    .map((file) => ({ file, status: statSync(file, { throwIfNoEntry: false }) }))
    .filter(({ status }) => status?.isFile())
    .sort((left, right) => (right.status?.mtimeMs ?? 0) - (left.status?.mtimeMs ?? 0));
  for (const { file } of files.slice(0, LOOKED_AT)) {
    const limits = parseLimits(readObject(file) ?? {});
    if (limits.length > 0) return limits;
  }
  return [];
}

/** The readings of the five-hour limit, which moves the most, from all sessions' status lines. */
export function readLimitReadings(configFolder: string): readonly LimitReading[] {
  const folder = path.join(locateData(configFolder), "sessions");
  return listArtifactNames(folder).flatMap((name) =>
    readLines(path.join(folder, name, SESSION_FILES.limits)).flatMap(parseReading),
  );
}

function parseReading(line: string): readonly LimitReading[] {
  const value = parseObject(line);
  const limit = objectField(objectField(value, "rate_limits") ?? {}, "five_hour") ?? {};
  const [atMs, usedPercent] = [numberField(value, "atMs"), numberField(limit, "used_percentage")];
  if (atMs === undefined || usedPercent === undefined) return [];
  return [{ atMs, usedPercent, resetsAt: numberField(limit, "resets_at") }];
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
