import { countField, isObject, objectField } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";

/** The `usage` of an answer of the Messages API. Whatever is missing, or no count, is none. */
export function parseUsage(raw: unknown): Usage {
  const usage = isObject(raw) ? raw : {};
  const split = objectField(usage, "cache_creation") ?? {};
  const written = countField(usage, "cache_creation_input_tokens");
  const cacheWrite1hTokens = countField(split, "ephemeral_1h_input_tokens");
  return {
    inputTokens: countField(usage, "input_tokens"),
    cacheReadTokens: countField(usage, "cache_read_input_tokens"),
    // Older answers do not say for how long: five minutes was all there was.
    cacheWrite5mTokens: Math.max(0, written - cacheWrite1hTokens),
    cacheWrite1hTokens,
    outputTokens: countField(usage, "output_tokens"),
    ...(usage.speed === "fast" && { speed: "fast" }),
  };
}
