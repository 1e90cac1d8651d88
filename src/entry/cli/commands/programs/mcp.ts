import path from "node:path";
import { createArtifactStore } from "../../../../files/artifacts/artifacts.ts";
import { weighTools } from "../../../../recorded/audit/weigh-tools.ts";
import { isDatabase, readDatabase } from "../../../gateway/store/catalogue.ts";
import type { Elsewhere } from "../../../mcp/sessions.ts";
import { CliError, type Command, type CommandAnswer, defineCommand, type Terminal } from "../../command.ts";
import { readVersion } from "../../help.ts";
import { renderJson, renderTable } from "../../print/style.ts";

const SERVER = "plimsoll";

export const mcpCommand: Command = defineCommand({
  name: "mcp",
  isVerbatim: true,
  summary: "Serves the tools recall, search, list, state and health to an MCP client over standard input and output",
  options: {
    tools: { help: "list the tools and how many tokens each schema takes, without serving" },
    store: { value: "WHERE", help: "the gateway's folder or postgres://..., where the recall tool reads originals" },
    config: { help: "print the entry for an MCP client's configuration, without serving" },
  },
  examples: {
    "plimsoll mcp --tools": "lists each tool and the tokens that it adds to a request",
    "plimsoll mcp --config": "prints the entry to add to .mcp.json or to another client's list of servers",
  },
  async run(invocation, terminal) {
    const { flags, values } = invocation;
    if (flags.has("config")) {
      const isWindows = terminal.environment.OS === "Windows_NT";
      const [command, ...args] = isWindows ? ["cmd", "/c", "plimsoll", "mcp"] : ["plimsoll", "mcp"];
      terminal.print(renderJson({ mcpServers: { [SERVER]: { command, args } } }));
      return undefined;
    }
    if (flags.has("tools")) return showTools();
    if (flags.has("json")) throw new CliError("--json works only with --tools, because the server itself speaks MCP");
    const { serve } = await import("../../../mcp/serve.ts");
    await serve(readVersion(), openElsewhere(values.get("store"), terminal));
    return undefined;
  },
});

function openElsewhere(name: string | undefined, { directory, nowMs }: Terminal): Elsewhere | undefined {
  if (name === undefined) return undefined;
  if (isDatabase(name)) return { read: (handle) => readDatabase(name, handle) };
  const folder = createArtifactStore(path.resolve(directory, name), nowMs);
  return { read: async (handle) => folder.read(handle) };
}

async function showTools(): Promise<CommandAnswer> {
  const { TOOLS } = await import("../../../mcp/tools.ts");
  const { tools, loadedTokens, loadedHighTokens } = weighTools(SERVER, TOOLS, "dense");
  const rows = TOOLS.map(({ name, description, isUpFront }) => {
    const tokens = tools.find((tool) => tool.name === `mcp__${SERVER}__${name}`)?.tokens ?? 0;
    return { name, description, isUpFront, tokens: Math.round(tokens) };
  });
  const total = { tokens: Math.round(loadedTokens), highTokens: Math.round(loadedHighTokens) };
  const cells = rows.map((row) => [row.name, String(row.tokens), row.isUpFront ? "up front" : "on demand"]);
  const sum = `All five tools together: ${total.tokens} tokens, or at most ${total.highTokens} with the newer tokenizer.`;
  return {
    json: { server: SERVER, tools: rows, ...total },
    text: () => [renderTable([["tool", "tokens", "listed"], ...cells]), "", sum].join("\n"),
  };
}
