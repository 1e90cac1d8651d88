import { countField, isObject, objectField } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";

/**
 * The `usage` of an answer of the Messages API, also as Claude Code records it. Missing or invalid counts are 0.
 * Older answers do not split cache writes by life time: five minutes was the only one.
 */
export function parseUsage(raw: unknown): Usage {
  const usage = isObject(raw) ? raw : {};
  const written = countField(usage, "cache_creation_input_tokens");
  const split = objectField(usage, "cache_creation") ?? {};
  const cacheWrite1hTokens = Math.min(countField(split, "ephemeral_1h_input_tokens"), written);
  return {
    inputTokens: countField(usage, "input_tokens"),
    cacheReadTokens: countField(usage, "cache_read_input_tokens"),
    cacheWrite5mTokens: written - cacheWrite1hTokens,
    cacheWrite1hTokens,
    outputTokens: countField(usage, "output_tokens"),
    ...(usage.speed === "fast" && { speed: "fast" }),
  };
}
