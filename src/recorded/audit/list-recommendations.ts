import { renderCount } from "../../core/render-count.ts";

/** A server used in fewer sessions than this belongs only in the projects that need it. */
const RARE_SHARE = 0.1;

export interface AuditRecommendation extends MonthlyPrice {
  readonly text: string;
  /** In every request. */
  readonly savesTokens: number;
}

export interface MonthlyPrice {
  /** At the user's own requests per month; `undefined` if none is recorded or priced. */
  readonly usdPerMonth: number | undefined;
  readonly isAtLeast: boolean;
}

export interface RecommendationInput {
  /** Ranked: the first to remove comes first. */
  readonly servers: readonly ServerUse[];
  readonly recordedSessions: number;
  /** Some limit is exceeded: then the first server is named even if no use is recorded. */
  readonly isWarned: boolean;
  readonly hasAgents: boolean;
  /** Instruction files that are too long, with the tokens after their last line within the limit. */
  readonly longFiles: readonly { readonly path: string; readonly maxLines: number; readonly excessTokens: number }[];
  readonly price: (tokens: number) => MonthlyPrice;
}

/** The largest saving first. */
export function listRecommendations(input: RecommendationInput): readonly AuditRecommendation[] {
  const { price, longFiles, hasAgents } = input;
  const save = (text: string, savesTokens: number): AuditRecommendation => ({
    text,
    savesTokens,
    ...price(savesTokens),
  });
  return [
    ...listServerAdvice(input).map(({ text, tokens }) => save(text, tokens)),
    ...(hasAgents ? [save("Pass a specific agent type with every agent call", 0)] : []),
    ...longFiles.map(({ path, maxLines, excessTokens }) =>
      save(`Move everything after line ${maxLines - 1} of ${path} into files that it refers to`, excessTokens),
    ),
  ].sort((left, right) => right.savesTokens - left.savesTokens);
}

/** Servers that no session called are named one by one, with what can be switched off. */
function listServerAdvice({ servers, recordedSessions, isWarned }: RecommendationInput) {
  const advised = servers
    .filter(({ calls, sessions }) => calls > 0 && sessions < recordedSessions * RARE_SHARE)
    .map(({ name, tokens, calls, sessions }) => ({
      text: `Enable ${name} only where it is needed: ${renderCount(calls, "call")} in ${sessions} of ${renderCount(recordedSessions, "recorded session")}`,
      tokens,
    }));
  const [first] = servers;
  if (advised.length > 0 || !isWarned || !first) return advised;
  return [{ text: `Disable ${first.name}, if you can do without its ${first.tools} tools`, tokens: first.tokens }];
}

export interface ServerUse {
  readonly name: string;
  readonly tools: number;
  /** In every request, as the client loads it here. */
  readonly tokens: number;
  readonly calls: number;
  readonly sessions: number;
}

/** Most tools and least use first: by tools per call, then by tokens. */
export function rankServers<T extends ServerUse>(servers: readonly T[]): readonly T[] {
  const weight = ({ tools, calls }: T): number => tools / (1 + calls);
  return [...servers].sort(
    (left, right) => weight(right) - weight(left) || right.tokens - left.tokens || (left.name < right.name ? -1 : 1),
  );
}
