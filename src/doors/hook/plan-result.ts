import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseToolOutput, type ToolOutput } from "../../hosts/claude-code/tool-output.ts";
import { mayBeFolded } from "../../layers/options/birth-fold.ts";
import type { PolicyName } from "../../layers/options/policy-settings.ts";
import { isRecall } from "../../policy/is-recall.ts";
import { chooseBirthFold } from "../../policy/result-arrived.ts";

/** What may be folded of a result, in the shape it came in; `undefined` where it certainly stays as it is. */
export function planResult({ tool, input, response }: HookCall, policy: PolicyName): ToolOutput | undefined {
  const output = parseToolOutput(tool, response);
  if (output === undefined || isRecall(tool, input)) return undefined;
  return mayBeFolded(output.text, chooseBirthFold(policy, "foldOnly")) ? output : undefined;
}
