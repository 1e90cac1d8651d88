import type { StabilityReport } from "./check-stability.ts";
import type { PrefixBreak } from "./find-break.ts";

/** For people: the static prefix first, then one line for every turn that could not go on from the one before. */
export function renderStability(report: StabilityReport): string {
  const [first] = report.turns;
  if (first === undefined) return "no turns";
  const turns = `${report.turns.length} ${report.turns.length === 1 ? "turn" : "turns"}`;
  const hashes = new Set(report.turns.map(({ staticPrefixHash }) => staticPrefixHash));
  const head = report.isStaticStable
    ? `static prefix ${first.staticPrefixHash} (${first.staticTokens} tokens) stable over ${turns}`
    : `static prefix CHANGED: ${hashes.size} versions over ${turns}`;
  const tail = report.breaks.length === 0 ? [] : [`${report.tokensRewritten} tokens rewritten in all`];
  return [head, ...report.breaks.map(renderBreak), ...tail].join("\n");
}

function renderBreak({ turn, name, isStatic, change, at, before, after, tokensRewritten }: PrefixBreak): string {
  const place = isStatic ? "static" : "dynamic";
  const words =
    change === "changed"
      ? `at character ${at}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`
      : `was ${change}: ${JSON.stringify(change === "added" ? after : before)}`;
  return `turn ${turn}: ${name} (${place}) broke the prefix ${words}; ${tokensRewritten} tokens rewritten`;
}
