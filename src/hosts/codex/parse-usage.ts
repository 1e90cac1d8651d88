import type { JsonObject } from "../../core/json.ts";
import { countField } from "../../core/json-fields.ts";
import type { Usage } from "../../core/usage.ts";

/** The input is told whole: what was read from the cache and what was written to it (from 0.166 on) are parts of it. */
export function parseUsage(raw: JsonObject): Usage {
  const input = countField(raw, "input_tokens");
  const cacheReadTokens = Math.min(countField(raw, "cached_input_tokens"), input);
  const cacheWrite5mTokens = Math.min(countField(raw, "cache_write_input_tokens"), input - cacheReadTokens);
  return {
    inputTokens: input - cacheReadTokens - cacheWrite5mTokens,
    cacheReadTokens,
    cacheWrite5mTokens,
    cacheWrite1hTokens: 0,
    outputTokens: countField(raw, "output_tokens"),
  };
}
