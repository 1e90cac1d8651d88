import { join } from "node:path";
import type { HookContext } from "../../hook.ts";
import type { WayBack } from "../way-back.ts";

/** What the hooks know of Claude Code. The build for Codex takes `../codex/client.ts` in its place: what one of them tells the other tells too. */

export { countToolsAtStart } from "../../../../hosts/claude-code/count-tools.ts";
export { readCompactionSettings } from "../../../../hosts/claude-code/disk/compaction-settings.ts";
export { type FollowedState, followSession } from "../../../../hosts/claude-code/disk/follow-session.ts";
export { decidePromptAuthor } from "../../../../hosts/claude-code/prompt-author.ts";
export { parseToolOutput } from "../../../../hosts/claude-code/tool-output.ts";
export { findLoad } from "./find-load.ts";
export { readAftermath } from "./read-aftermath.ts";
export { readKept, searchInstruments } from "./search-instruments.ts";

/** Whether what a hook prints before a compaction reaches whoever writes the summary. */
export function tellsSummariser(): boolean {
  return true;
}

/** Whether a line of the transcript holds the result of a call. */
export function holdsResult(line: string, callId: string): boolean {
  return line.includes(`"tool_use_id":${JSON.stringify(callId)}`) && line.includes('"tool_result"');
}

export function locateTranscripts({ configFolder }: Pick<HookContext, "configFolder" | "env">): string {
  return join(configFolder, "projects");
}

/** As the client names a tool of a plugin's server: plugin, server, tool. */
const PLUGIN_RECALL_TOOL = "mcp__plugin_plimsoll-classic_plimsoll__recall";

/** The plugin brings a server with it; hooks that stand in the settings themselves have none. */
export function nameWayBack({ env }: Pick<HookContext, "env">): WayBack {
  return env.CLAUDE_PLUGIN_ROOT ? { recallTool: PLUGIN_RECALL_TOOL } : {};
}
