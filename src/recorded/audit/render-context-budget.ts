export interface ContextBudget {
  readonly baselineTokens: number;
  readonly windowTokens: number;
  /** Whether the baseline is a recorded request's, and not a rule of thumb. */
  readonly isRecorded: boolean;
  /** In the order in which they should be looked at. */
  readonly servers: readonly { readonly name: string; readonly tools: number; readonly tokens: number }[];
}

/** For the health report, when more of the window is gone at the start than should be. */
export function renderContextBudget({ baselineTokens, windowTokens, isRecorded, servers }: ContextBudget): string {
  const tools = servers.reduce((sum, server) => sum + server.tools, 0);
  const share = ((baselineTokens / windowTokens) * 100).toFixed(1).replace(/\.0$/, "");
  const largest = [...servers].sort((left, right) => right.tools - left.tools).slice(0, 2);
  const [first] = servers;
  return [
    "### Context Budget",
    `- **Baseline cost**: ~${inThousands(baselineTokens)} tokens (${share}% of estimated window)${isRecorded ? "" : ", by rule of thumb: no session is recorded"}`,
    `- **MCP tools loaded**: ${tools} across ${servers.length} servers`,
    `- **Top consumers**: ${largest.map(({ name, tools: count }) => `${name} (${count} tools)`).join(", ") || "none"}`,
    `- **Recommendation**: ${first ? `Disable ${first.name} to save ~${inThousands(first.tokens)} tokens` : "Shorten the instruction files: no MCP server is loaded"}`,
  ].join("\n");
}

function inThousands(tokens: number): string {
  return `${(tokens / 1000).toFixed(tokens < 9950 ? 1 : 0)}k`;
}
