import type { HookContext } from "../../hook.ts";
import type { WayBack } from "../way-back.ts";

/** As the client names a tool of a plugin's server: plugin, server, tool. */
const PLUGIN_RECALL_TOOL = "mcp__plugin_plimsoll-classic_plimsoll__recall";

/** The plugin brings a server with it; hooks that stand in the settings themselves have none. */
export function nameWayBack({ env }: Pick<HookContext, "env">): WayBack {
  return env.CLAUDE_PLUGIN_ROOT ? { recallTool: PLUGIN_RECALL_TOOL } : {};
}
