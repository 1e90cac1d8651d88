import { DEFAULT_LIMITS } from "../../fold/thresholds.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import type { ToolOutput } from "../../hosts/claude-code/tool-output.ts";
import { mayBeFolded } from "../../layers/options/birth-fold.ts";
import { isRecall } from "../../policy/is-recall.ts";
import { chooseBirthFold } from "../../policy/result-arrived.ts";
import type { Settings } from "../../policy/settings/settings.ts";
import { parseToolOutput } from "./clients/claude-code/client.ts";

/** What may be folded of a result, in the shape it came in; `undefined` where it certainly stays as it is. */
export function planResult({ tool, input, response }: HookCall, settings: Settings): ToolOutput | undefined {
  const output = parseToolOutput(tool, response);
  if (output === undefined || isRecall(tool, input)) return undefined;
  const { policy, combinesOutputs } = settings;
  const isLong =
    mayBeFolded(output.text, chooseBirthFold(policy, "foldOnly")) ||
    (combinesOutputs && output.text.length >= DEFAULT_LIMITS.leastCharacters);
  return isLong ? output : undefined;
}
