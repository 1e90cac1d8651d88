import { renderCount } from "../../core/render-count.ts";

/** Used in fewer sessions than this, a server belongs into the projects that need it. */
const RARE_SHARE = 0.1;

export interface AuditRecommendation extends MonthlyPrice {
  readonly text: string;
  /** In every request. */
  readonly savesTokens: number;
}

export interface MonthlyPrice {
  /** At the person's own requests of a month; `undefined` where none is recorded or priced. */
  readonly usdPerMonth: number | undefined;
  /** Whether that is a lower bound. */
  readonly isAtLeast: boolean;
}

export interface RecommendationInput {
  /** Ranked: what should go first stands first. */
  readonly servers: readonly ServerUse[];
  readonly recordedSessions: number;
  /** Whether any limit is passed: then the first server is named even where no use is recorded. */
  readonly isWarned: boolean;
  readonly hasAgents: boolean;
  /** Instruction files that are too long, with the tokens of what stands behind their last good line. */
  readonly longFiles: readonly { readonly path: string; readonly maxLines: number; readonly excessTokens: number }[];
  readonly price: (tokens: number) => MonthlyPrice;
}

/** Each with what it saves, the largest saving first. */
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

/** What no session called is named by itself, with what can be switched off. */
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

/** A server with what it costs and what it is used for. */
export interface ServerUse {
  readonly name: string;
  readonly tools: number;
  /** In every request, as the client loads it here. */
  readonly tokens: number;
  readonly calls: number;
  /** Recorded sessions that called it. */
  readonly sessions: number;
}

/** Most tools and least use first: by tools for every call, then by tokens. */
export function rankServers<T extends ServerUse>(servers: readonly T[]): readonly T[] {
  const weight = ({ tools, calls }: T): number => tools / (1 + calls);
  return [...servers].sort(
    (left, right) => weight(right) - weight(left) || right.tokens - left.tokens || (left.name < right.name ? -1 : 1),
  );
}
