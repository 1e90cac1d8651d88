import type { StabilityReport } from "./check-stability.ts";
import type { PrefixBreak } from "./find-break.ts";

/** For people: the static prefix first, then one line for every request that could not go on from the one before. */
export function renderStability(report: StabilityReport): string {
  const [first] = report.requests;
  if (first === undefined) return "no requests";
  const requests = `${report.requests.length} ${report.requests.length === 1 ? "request" : "requests"}`;
  const hashes = new Set(report.requests.map(({ staticPrefixHash }) => staticPrefixHash));
  const head = report.isStaticStable
    ? `static prefix ${first.staticPrefixHash} (${first.staticTokens} tokens) stable over ${requests}`
    : `static prefix CHANGED: ${hashes.size} versions over ${requests}`;
  const tail = report.breaks.length === 0 ? [] : [`${report.tokensRewritten} tokens rewritten in all`];
  return [head, ...report.breaks.map(renderBreak), ...tail].join("\n");
}

function renderBreak({ request, name, isStatic, change, at, before, after, tokensRewritten }: PrefixBreak): string {
  const place = isStatic ? "static" : "dynamic";
  const words =
    change === "changed"
      ? `at character ${at}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`
      : `was ${change}: ${JSON.stringify(change === "added" ? after : before)}`;
  return `request ${request}: ${name} (${place}) broke the prefix ${words}; ${tokensRewritten} tokens rewritten`;
}
