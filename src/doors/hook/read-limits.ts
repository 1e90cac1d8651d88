import path from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { isObject, numberField, objectField } from "../../core/json-fields.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import type { RateLimit } from "../../policy/rules/rate-limits.ts";
import { readObject } from "./session-files.ts";

/** The account's limits as the client last told them; none where it does not, with an API key for instance. */
export function readLimits(folder: string | undefined): readonly RateLimit[] {
  const reading = folder === undefined ? undefined : readObject(path.join(folder, SESSION_FILES.reading));
  return reading === undefined ? [] : parseLimits(reading);
}

/** The status line says `rate_limits`, the engine `rateLimits`; both name the share in percent. */
function parseLimits(reading: JsonObject): readonly RateLimit[] {
  const limits = objectField(reading, "rate_limits") ?? objectField(reading, "rateLimits") ?? {};
  return Object.entries(limits).flatMap(([name, limit]): readonly RateLimit[] => {
    if (!isObject(limit)) return [];
    const usedPercent = numberField(limit, "used_percentage") ?? numberField(limit, "usedPercent");
    const resets = numberField(limit, "resets_at") ?? numberField(limit, "resetsAt");
    return usedPercent === undefined ? [] : [{ name, usedPercent, resetsAtMs: resets }];
  });
}
