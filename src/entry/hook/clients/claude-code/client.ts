import { join } from "node:path";
import { numberField, objectField, parseObject, textField } from "../../../../core/json.ts";
import { parseUsage } from "../../../../wire/anthropic/parse-usage.ts";
import type { HookContext } from "../../hook.ts";
import type { TailLoad, WayBack } from "../contract.ts";

/** What the hooks know of Claude Code. The build for Codex replaces it with `../codex/client.ts`, so both export the same. */

export { countToolsAtStart } from "../../../../hosts/claude-code/attachment-text.ts";
export { readCompactionSettings } from "../../../../hosts/claude-code/disk/compaction-settings.ts";
export { type FollowedState, followSession } from "../../../../hosts/claude-code/disk/follow-session.ts";
export { decidePromptAuthor } from "../../../../hosts/claude-code/prompt-author.ts";
export { parseToolOutput } from "../../../../hosts/claude-code/tool-output.ts";
export { readAftermath } from "./read-aftermath.ts";
export { readKept, searchInstruments } from "./search-instruments.ts";

/** Whether the summarising model sees what a hook prints before a compaction. */
export function informsSummariser(): boolean {
  return true;
}

export function holdsResult(line: string, callId: string): boolean {
  return line.includes(`"tool_use_id":${JSON.stringify(callId)}`) && line.includes('"tool_result"');
}

export function locateTranscripts({ configFolder }: Pick<HookContext, "configFolder" | "env">): string {
  return join(configFolder, "projects");
}

/** The client's name for a tool of a plugin's server: plugin, server, tool. */
const PLUGIN_RECALL_TOOL = "mcp__plugin_plimsoll-classic_plimsoll__recall";

/** The plugin includes a server; hooks that are in the settings themselves have none. */
export function nameWayBack({ env }: Pick<HookContext, "env">): WayBack {
  return env.CLAUDE_PLUGIN_ROOT ? { recallTool: PLUGIN_RECALL_TOOL } : {};
}

/** Inside a string these would be escaped, so other lines cannot match. */
const BOUNDARY = '"subtype":"compact_boundary"';
const ANSWER = '"type":"assistant"';

/** Searches from the end; only boundaries are searched for in all lines. */
export function findLoad(text: string): TailLoad {
  const lines = text.split("\n");
  const boundaries = text.includes(BOUNDARY) ? findBoundaries(lines) : [];
  const since = boundaries.at(-1)?.index ?? -1;
  for (let index = lines.length - 1; index > since; index--) {
    const answer = parseAnswer(lines[index] ?? "");
    if (answer) return { ...answer, compactions: boundaries, hasNews: true };
  }
  const version = boundaries.at(-1)?.version ?? "";
  return { usage: undefined, model: "", stepId: "", version, compactions: boundaries, hasNews: boundaries.length > 0 };
}

function findBoundaries(lines: readonly string[]) {
  return lines.flatMap((text, index) => {
    const line = text.includes(BOUNDARY) ? parseObject(text) : {};
    if (line.subtype !== "compact_boundary" || line.isSidechain === true) return [];
    const metadata = objectField(line, "compactMetadata") ?? {};
    return [
      {
        index,
        version: textField(line, "version"),
        trigger: textField(metadata, "trigger"),
        preTokens: numberField(metadata, "preTokens"),
      },
    ];
  });
}

/** Error notices and lines that the client made up have a usage of zeros, which is skipped. */
function parseAnswer(text: string): Pick<TailLoad, "usage" | "model" | "stepId" | "version"> | undefined {
  const line = text.includes(ANSWER) ? parseObject(text) : {};
  if (line.type !== "assistant" || line.isSidechain === true || line.isApiErrorMessage === true) return undefined;
  const message = objectField(line, "message") ?? {};
  const usage = objectField(message, "usage");
  const model = textField(message, "model");
  if (usage === undefined || model === "<synthetic>") return undefined;
  return { usage: parseUsage(usage), model, stepId: textField(message, "id"), version: textField(line, "version") };
}
