import { decideIgnored } from "../../guard/decide-ignored.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { readIgnoreRules } from "./read-ignore-rules.ts";

/** Why a call is refused, in words for the model; `undefined` where it may pass. */
export function guardIgnored(call: HookCall, project: string, directory: string): string | undefined {
  const place = { root: project, directory: directory || project };
  const decision = decideIgnored({ tool: call.tool, input: call.input }, readIgnoreRules(project), place);
  return decision.isBlocked ? decision.reason : undefined;
}
