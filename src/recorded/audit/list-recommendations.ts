import { renderCount } from "../../core/render-count.ts";

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
  readonly agents: readonly { readonly name: string; readonly tokens: number; readonly calls: number }[];
  /** Instruction files that are too long, with the tokens of what stands behind their last good line. */
  readonly longFiles: readonly { readonly path: string; readonly maxLines: number; readonly excessTokens: number }[];
  readonly price: (tokens: number) => MonthlyPrice;
}

/** Each with what it saves, the largest saving first. */
export function listRecommendations(input: RecommendationInput): readonly AuditRecommendation[] {
  const { price, longFiles } = input;
  const save = (text: string, savesTokens: number): AuditRecommendation => ({
    text,
    savesTokens,
    ...price(savesTokens),
  });
  return [
    ...listServerAdvice(input).map(({ text, tokens }) => save(text, tokens)),
    ...listAgentAdvice(input).map(({ text, tokens }) => save(text, tokens)),
    ...longFiles.map(({ path, maxLines, excessTokens }) =>
      save(`Move what stands behind line ${maxLines - 1} of ${path} into files that it names`, excessTokens),
    ),
  ].sort((left, right) => right.savesTokens - left.savesTokens);
}

function listServerAdvice({ servers, recordedSessions, isWarned }: RecommendationInput) {
  const advised = servers.flatMap((server) => {
    const { name, tools, tokens, calls, sessions } = server;
    const advice = adviseServer(server, recordedSessions);
    if (advice === "disable" && tools > 0)
      return [
        {
          text: `Disable ${name}: ${renderCount(tools, "tool")}, not called in ${renderCount(recordedSessions, "recorded session")}`,
          tokens,
        },
      ];
    if (advice === "scope")
      return [
        {
          text: `Enable ${name} only where it is needed: ${renderCount(calls, "call")} in ${sessions} of ${renderCount(recordedSessions, "recorded session")}`,
          tokens,
        },
      ];
    return [];
  });
  const [first] = servers;
  if (advised.length > 0 || !isWarned || !first) return advised;
  return [{ text: `Disable ${first.name}, if you can do without its ${first.tools} tools`, tokens: first.tokens }];
}

function listAgentAdvice({ agents, recordedSessions }: RecommendationInput) {
  if (agents.length === 0) return [];
  const unused = recordedSessions === 0 ? [] : agents.filter(({ calls }) => calls === 0);
  const names = unused.map(({ name }) => name);
  const remove =
    names.length === 0
      ? ""
      : `, and remove the agents that nobody calls (${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""})`;
  return [
    {
      text: `Give a specific type with every agent call${remove}`,
      tokens: unused.reduce((sum, { tokens }) => sum + tokens, 0),
    },
  ];
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

type ServerAdvice = "disable" | "scope" | "keep";

/** Used in fewer sessions than this, a server belongs into the projects that need it. */
const RARE_SHARE = 0.1;

/** `undefined` use is no use: without recorded sessions nothing is known, and nothing is advised against. */
export function adviseServer({ calls, sessions }: ServerUse, recordedSessions: number): ServerAdvice {
  if (recordedSessions === 0) return "keep";
  if (calls === 0) return "disable";
  return sessions < recordedSessions * RARE_SHARE ? "scope" : "keep";
}
