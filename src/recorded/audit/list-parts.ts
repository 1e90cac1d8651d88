import type { Loading } from "./first-request.ts";

/** One part of what every request carries. */
export interface BaselinePart {
  readonly part: string;
  readonly tokens: number;
  /** `recorded` in the first request, or measured from the `servers` and the `files` as they are now. */
  readonly source: "recorded" | "servers" | "files";
}

export interface PartsInput {
  readonly loading: Loading;
  readonly servers: {
    readonly loadedTokens: number;
    readonly deferredTokens: number;
    readonly instructionTokens: number;
  };
  readonly agentTokens: number;
  readonly skillTokens: number;
  readonly instructionTokens: number;
  readonly memoryTokens: number;
  /** What the first recorded request lists, by kind. */
  readonly listings: Readonly<Record<string, number>>;
}

const KNOWN: ReadonlySet<string> = new Set([
  "deferred_tools_delta",
  "mcp_instructions_delta",
  "agent_listing_delta",
  "skill_listing",
]);

/** What the record says goes before what files and servers say: it is what was sent. Parts of nothing are left out. */
export function listParts(input: PartsInput): readonly BaselinePart[] {
  const { loading, servers, listings } = input;
  const from = (part: string, kind: string, source: "servers" | "files", tokens: number): BaselinePart => {
    const recorded = listings[kind];
    return recorded === undefined ? { part, source, tokens } : { part, source: "recorded", tokens: recorded };
  };
  const isDeferred = loading === "deferred";
  const names = from(
    "names of deferred tools",
    "deferred_tools_delta",
    "servers",
    isDeferred ? servers.deferredTokens : 0,
  );
  const schemas: BaselinePart = {
    part: "MCP tool schemas",
    source: "servers",
    tokens: isDeferred ? 0 : servers.loadedTokens,
  };
  return [
    schemas,
    names,
    from("MCP server instructions", "mcp_instructions_delta", "servers", servers.instructionTokens),
    from("agent listing", "agent_listing_delta", "files", input.agentTokens),
    from("skill listing", "skill_listing", "files", input.skillTokens),
    { part: "instruction files and rules", source: "files" as const, tokens: input.instructionTokens },
    { part: "memory index", source: "files" as const, tokens: input.memoryTokens },
    ...Object.entries(listings)
      .filter(([kind]) => !KNOWN.has(kind))
      .map(([kind, tokens]) => ({ part: kind, source: "recorded" as const, tokens })),
  ].filter(({ tokens }) => tokens > 0);
}
