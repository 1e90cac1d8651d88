import type { HookContext } from "./hook.ts";

/** As the client names a tool of a plugin's server: plugin, server, tool. */
const PLUGIN_RECALL_TOOL = "mcp__plugin_plimsoll-classic_plimsoll__recall";

/** The plugin brings a server with it; hooks that stand in the settings themselves have none. */
export function nameRecallTool({ env }: Pick<HookContext, "env">): string | undefined {
  return env.CLAUDE_PLUGIN_ROOT ? PLUGIN_RECALL_TOOL : undefined;
}
