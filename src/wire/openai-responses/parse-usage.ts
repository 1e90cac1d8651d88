import { countField, isObject, objectField } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";

/** The `usage` of an answer of the Responses API. What was cached is part of its input, and stands beside it in ours. */
export function parseResponsesUsage(raw: unknown): Usage {
  const usage = isObject(raw) ? raw : {};
  const details = objectField(usage, "input_tokens_details") ?? {};
  const cacheReadTokens = countField(details, "cached_tokens");
  const cacheWriteTokens = countField(details, "cache_write_tokens");
  return {
    inputTokens: Math.max(0, countField(usage, "input_tokens") - cacheReadTokens - cacheWriteTokens),
    cacheReadTokens,
    cacheWrite5mTokens: cacheWriteTokens,
    cacheWrite1hTokens: 0,
    outputTokens: countField(usage, "output_tokens"),
  };
}
