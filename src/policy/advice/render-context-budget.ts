export interface ContextBudget {
  readonly baselineTokens: number;
  readonly windowTokens: number;
  /** The baseline comes from a recorded request, not from a rule of thumb. */
  readonly isRecorded: boolean;
  /** In the order in which to look at them; absent if they were not started and counted. */
  readonly servers?: readonly { readonly name: string; readonly tools: number; readonly tokens: number }[];
}

const MOST_SHARE = 0.15;

export function isOverBudget(baselineTokens: number, windowTokens: number): boolean {
  return baselineTokens > windowTokens * MOST_SHARE;
}

/** The report's section for a baseline that takes too much of the window. */
export function renderContextBudget({ baselineTokens, windowTokens, isRecorded, servers }: ContextBudget): string {
  const share = ((baselineTokens / windowTokens) * 100).toFixed(1).replace(/\.0$/, "");
  return [
    "### Context Budget",
    `- **Baseline cost**: ~${inThousands(baselineTokens)} tokens (${share}% of estimated window)${isRecorded ? "" : ", a rule of thumb because no session is recorded"}`,
    // Counting a server's tools means starting it, and a report starts nothing.
    ...(servers === undefined ? [UNCOUNTED] : renderServers(servers)),
  ].join("\n");
}

function renderServers(servers: NonNullable<ContextBudget["servers"]>): readonly string[] {
  const tools = servers.reduce((sum, server) => sum + server.tools, 0);
  const largest = [...servers].sort((left, right) => right.tools - left.tools).slice(0, 2);
  const [first] = servers;
  return [
    `- **MCP tools loaded**: ${tools} across ${servers.length} servers`,
    `- **Top consumers**: ${largest.map(({ name, tools: count }) => `${name} (${count} tools)`).join(", ") || "none"}`,
    `- **Recommendation**: ${first ? `Disable ${first.name} to save ~${inThousands(first.tokens)} tokens` : "Shorten the instruction files: no MCP server is loaded"}`,
  ];
}

const UNCOUNTED =
  "- **Recommendation**: run `plimsoll audit`, which counts MCP tools by server and lists what to disable";

function inThousands(tokens: number): string {
  return `${(tokens / 1000).toFixed(tokens < 9950 ? 1 : 0)}k`;
}
