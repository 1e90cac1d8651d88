import { renderCount } from "../../core/render-count.ts";
import { MOST_INSTRUCTION_LINES } from "./find-budget-warnings.ts";
import type { MonthlyPrice } from "./price-carry.ts";
import type { AuditedServer, StartupContext } from "./startup-context.ts";

/** A server used in fewer sessions than this belongs only in the projects that need it. */
const RARE_SHARE = 0.1;

export interface AuditRecommendation extends MonthlyPrice {
  readonly text: string;
  /** In every request. */
  readonly savesTokens: number;
}

interface RecommendationBasis {
  readonly recordedSessions: number;
  /** Some limit is exceeded: then the first server is named even if no use is recorded. */
  readonly isWarned: boolean;
}

/** The largest saving first. */
export function listRecommendations(
  { servers, files, price }: StartupContext,
  basis: RecommendationBasis,
): readonly AuditRecommendation[] {
  const measured = servers.filter(({ status }) => status === "measured");
  const tooLong = files.instructions.filter(({ lines }) => lines >= MOST_INSTRUCTION_LINES);
  const agentAdvice = { text: "Pass a specific agent type with every agent call", savesTokens: 0 };
  return [
    ...listServerAdvice(measured, basis),
    ...(files.agents.length > 0 ? [agentAdvice] : []),
    ...tooLong.map(({ path, excessTokens }) => ({
      text: `Move everything after line ${MOST_INSTRUCTION_LINES - 1} of ${path} into files that it refers to`,
      savesTokens: excessTokens,
    })),
  ]
    .map((advice) => ({ ...advice, ...price(advice.savesTokens) }))
    .sort((left, right) => right.savesTokens - left.savesTokens);
}

/** Servers that no session called are named one by one, with what can be switched off. */
function listServerAdvice(servers: readonly AuditedServer[], { recordedSessions, isWarned }: RecommendationBasis) {
  const advised = servers
    .filter(({ calls, sessions }) => calls > 0 && sessions < recordedSessions * RARE_SHARE)
    .map(({ name, tokens, calls, sessions }) => ({
      text: `Enable ${name} only where it is needed: ${renderCount(calls, "call")} in ${sessions} of ${renderCount(recordedSessions, "recorded session")}`,
      savesTokens: tokens,
    }));
  const [first] = servers;
  if (advised.length > 0 || !isWarned || !first) return advised;
  return [{ text: `Disable ${first.name}, if you can do without its ${first.tools} tools`, savesTokens: first.tokens }];
}

/** Most tools and least use first: by tools per call, then by tokens. */
export function rankServers(servers: readonly AuditedServer[]): readonly AuditedServer[] {
  const weight = ({ tools, calls }: AuditedServer): number => tools / (1 + calls);
  return [...servers].sort(
    (left, right) => weight(right) - weight(left) || right.tokens - left.tokens || (left.name < right.name ? -1 : 1),
  );
}
