import type { Attribution } from "./attribution.ts";

/**
 * Where the client took something out without telling, the recorded parts are heavier than the request was. The base is always
 * sent, so the rest shrinks in proportion: what is told is never more than what was sent.
 */
export function fitParts(attribution: Attribution): Attribution {
  const { parts, contextTokens, unexplainedTokens } = attribution;
  if (unexplainedTokens >= 0) return attribution;
  const base = Math.min(parts.base ?? 0, contextTokens);
  const rest = contextTokens - unexplainedTokens - (parts.base ?? 0);
  const scale = rest > 0 ? (contextTokens - base) / rest : 0;
  const fitted = Object.entries(parts).map(
    ([part, tokens]) => [part, part === "base" ? base : tokens * scale] as const,
  );
  return { ...attribution, parts: Object.fromEntries(fitted), unexplainedTokens: 0 };
}
