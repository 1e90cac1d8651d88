import { countField, type JsonObject, objectField } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";

/** `message.usage`. The split of cache writes by life time exists from 1.0.98 on; before, all writes lived five minutes. `speed` exists from 2.1.41 on. */
export function parseUsage(raw: JsonObject): Usage {
  const written = countField(raw, "cache_creation_input_tokens");
  const split = objectField(raw, "cache_creation") ?? {};
  const oneHour = Math.min(countField(split, "ephemeral_1h_input_tokens"), written);
  return {
    inputTokens: countField(raw, "input_tokens"),
    cacheReadTokens: countField(raw, "cache_read_input_tokens"),
    cacheWrite5mTokens: written - oneHour,
    cacheWrite1hTokens: oneHour,
    outputTokens: countField(raw, "output_tokens"),
    ...(raw.speed === "fast" && { speed: "fast" }),
  };
}
