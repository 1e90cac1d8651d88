export interface ContextBudget {
  readonly baselineTokens: number;
  readonly windowTokens: number;
  /** Whether the baseline is a recorded request's, and not a rule of thumb. */
  readonly isRecorded: boolean;
  /** In the order in which they should be looked at; absent where nobody has started and counted them. */
  readonly servers?: readonly { readonly name: string; readonly tools: number; readonly tokens: number }[];
}

const MOST_SHARE = 0.15;

/** Whether the baseline takes more of the window than it should. */
export function isOverBudget(baselineTokens: number, windowTokens: number): boolean {
  return baselineTokens > windowTokens * MOST_SHARE;
}

/** For the health report, when more of the window is gone at the start than should be. */
export function renderContextBudget({ baselineTokens, windowTokens, isRecorded, servers }: ContextBudget): string {
  const share = ((baselineTokens / windowTokens) * 100).toFixed(1).replace(/\.0$/, "");
  return [
    "### Context Budget",
    `- **Baseline cost**: ~${inThousands(baselineTokens)} tokens (${share}% of estimated window)${isRecorded ? "" : ", a rule of thumb because no session is recorded"}`,
    ...(servers === undefined ? renderUncounted() : renderServers(servers)),
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

/** To count a server's tools it must be started, and a report starts nothing. */
function renderUncounted(): readonly string[] {
  return ["- **Recommendation**: run `plimsoll audit`, which counts MCP tools by server and lists what to disable"];
}

function inThousands(tokens: number): string {
  return `${(tokens / 1000).toFixed(tokens < 9950 ? 1 : 0)}k`;
}
