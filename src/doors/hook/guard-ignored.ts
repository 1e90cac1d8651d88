import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { readIgnoreRules } from "../../files/project-reader.ts";
import { decideIgnored } from "../../guard/decide-ignored.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";

/** Why a call is refused, in words for the model; `undefined` if it may pass. */
export async function guardIgnored(call: HookCall, project: string, directory: string): Promise<string | undefined> {
  const place = { root: project, directory: directory || project };
  const rules = await readIgnoreRules(nodeProjectFiles, project);
  return decideIgnored(call, rules, place);
}
