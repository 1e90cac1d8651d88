import type { Usage } from "../../core/usage.ts";
import { isRecord } from "../is-json.ts";

/** The `usage` of an answer of the Messages API. Whatever is missing, or no count, is none. */
export function parseUsage(raw: unknown): Usage {
  const usage = isRecord(raw) ? raw : {};
  const split = isRecord(usage.cache_creation) ? usage.cache_creation : undefined;
  const written = countOf(usage.cache_creation_input_tokens);
  const cacheWrite1hTokens = split ? countOf(split.ephemeral_1h_input_tokens) : 0;
  return {
    inputTokens: countOf(usage.input_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    // Older answers do not say for how long: five minutes was all there was.
    cacheWrite5mTokens: Math.max(0, written - cacheWrite1hTokens),
    cacheWrite1hTokens,
    outputTokens: countOf(usage.output_tokens),
    ...(usage.speed === "fast" && { speed: "fast" }),
  };
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
