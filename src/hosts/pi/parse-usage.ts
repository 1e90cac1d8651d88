import type { JsonObject } from "../../core/json.ts";
import { countField } from "../../core/json-fields.ts";
import { sumContextTokens, type Usage } from "../../core/usage.ts";

/** `undefined` for a request that was broken off before anything of it was counted. */
export function parseUsage(raw: JsonObject | undefined): Usage | undefined {
  if (!raw) return undefined;
  const written = countField(raw, "cacheWrite");
  const cacheWrite1hTokens = Math.min(countField(raw, "cacheWrite1h"), written);
  const usage = {
    inputTokens: countField(raw, "input"),
    cacheReadTokens: countField(raw, "cacheRead"),
    cacheWrite5mTokens: written - cacheWrite1hTokens,
    cacheWrite1hTokens,
    outputTokens: countField(raw, "output"),
  };
  return sumContextTokens(usage) + usage.outputTokens > 0 ? usage : undefined;
}
