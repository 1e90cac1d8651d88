import { locateTranscripts as locateRollouts } from "../../../../hosts/codex/disk/rollouts.ts";
import { codexVocabulary } from "../../../../hosts/codex/vocabulary.ts";
import type { Instrument } from "../../../../survive/restore/name-dropped.ts";
import type { HookContext } from "../../hook.ts";
import type { RestoreFile } from "../../restore/restore-file.ts";
import type { WayBack } from "../way-back.ts";

/** What the hooks know of Codex: the build for it puts this in the place of `../claude-code/client.ts`. */

export { readCompactionSettings } from "../../../../hosts/codex/disk/compaction-settings.ts";
export { decidePromptAuthor } from "../../../../hosts/codex/prompt-author.ts";
export { findLoad } from "./find-load.ts";
export { type FollowedState, followSession } from "./follow-session.ts";
export { parseToolOutput } from "./parse-tool-output.ts";
export { readAftermath } from "./read-aftermath.ts";

/** What a hook prints before a compaction reaches nobody. */
export function tellsSummariser(): boolean {
  return false;
}

export function holdsResult(line: string, callId: string): boolean {
  return line.includes(`"call_id":${JSON.stringify(callId)}`) && line.includes('"function_call_output"');
}

/** As the model calls a tool of a server: by the server's namespace. */
const RECALL_TOOL = "mcp__plimsoll.recall";

export function locateTranscripts({ env }: Pick<HookContext, "configFolder" | "env">): string {
  return locateRollouts(env);
}

/** The plugin brings a server with it, whose tools the client puts under the server's name. */
export function nameWayBack(): WayBack {
  return { recallTool: RECALL_TOOL, readTool: codexVocabulary.readTool };
}

/** Its record does not say. */
export function countToolsAtStart(): number {
  return 0;
}

/** What it keeps stands beside the summary in its record, which is looked at then. */
export function readKept(): string {
  return "";
}

/** It loads its own instructions again by itself. */
export function searchInstruments(
  _rollout: string,
  { searched }: Pick<RestoreFile, "instruments" | "searched">,
): { readonly instruments: readonly Instrument[]; readonly searched: RestoreFile["searched"] } {
  return { instruments: [], searched };
}
