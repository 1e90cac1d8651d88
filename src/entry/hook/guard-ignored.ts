import { nodeProjectFiles } from "../../files/node-project-files.ts";
import { readIgnoreRules } from "../../files/project-reader.ts";
import { decideIgnored } from "../../guard/decide-ignored.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import type { HookContext } from "./hook.ts";

/** Why a call is refused, in words for the model; `undefined` if it may pass. */
export async function guardIgnored({ project, directory }: HookContext, call: HookCall): Promise<string | undefined> {
  const rules = await readIgnoreRules(nodeProjectFiles, project);
  return decideIgnored(call, rules, { root: project, directory: directory || project });
}
