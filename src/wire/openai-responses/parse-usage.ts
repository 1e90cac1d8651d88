import type { Usage } from "../../core/usage.ts";
import { isRecord } from "../is-json.ts";

/** The `usage` of an answer of the Responses API. What was cached is part of its input, and stands beside it in ours. */
export function parseResponsesUsage(raw: unknown): Usage {
  const usage = isRecord(raw) ? raw : {};
  const details = isRecord(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const cacheReadTokens = countOf(details.cached_tokens);
  const cacheWriteTokens = countOf(details.cache_write_tokens);
  return {
    inputTokens: Math.max(0, countOf(usage.input_tokens) - cacheReadTokens - cacheWriteTokens),
    cacheReadTokens,
    cacheWrite5mTokens: cacheWriteTokens,
    cacheWrite1hTokens: 0,
    outputTokens: countOf(usage.output_tokens),
  };
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
