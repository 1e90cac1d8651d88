import { countLines, DEFAULT_LIMITS, type FoldLimits } from "../../fold/thresholds.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { parseToolOutput, type ToolOutput } from "../../hosts/claude-code/tool-output.ts";
import { isRecall } from "../../hosts/claude-code/tool-output-recall.ts";

/**
 * Three of ten folded reads are followed by an edit of the same file, which needs its exact text; and what a subagent reports
 * was written for this very reader. Both stay unless they are really large.
 */
const PATIENT: Partial<FoldLimits> = { characters: 20_000, lines: Number.POSITIVE_INFINITY };
const PATIENT_WITH: readonly string[] = ["Read", "Task", "Agent"];

/** The limits for what a tool gives. */
export function limitsOf(tool: string): FoldLimits {
  return PATIENT_WITH.includes(tool) ? { ...DEFAULT_LIMITS, ...PATIENT } : DEFAULT_LIMITS;
}

/** What may be folded of a result, in the shape it came in; `undefined` where it certainly stays as it is. */
export function planResult({ tool, input, response }: HookCall): ToolOutput | undefined {
  const output = parseToolOutput(tool, response);
  if (output === undefined || isRecall(tool, input)) return undefined;
  const { characters, lines } = limitsOf(tool);
  return output.text.length > characters || countLines(output.text) > lines ? output : undefined;
}
