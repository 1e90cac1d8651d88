import { cutText } from "../../core/clip-text.ts";
import { findRuleConflicts, renderRuleConflicts } from "../../library/prompt/instructions/find-rule-conflicts.ts";
import { type InstructionBudget, shareOut } from "../../library/prompt/instructions/fit-instructions.ts";
import type { InstructionFile } from "../../library/prompt/instructions/instruction-file.ts";

export interface RuleFile {
  /** Path relative to the project's folder. */
  readonly name: string;
  readonly text: string;
}

const MAX_RULE_FILE_CHARACTERS = 4000;
export const MAX_RULES_CHARACTERS = 12_000;
const HEADER = "Project rules (rules/*.md):";

/**
 * Renders all files in order of name. They share the room as instructions do: each within its own limit, and small ones whole before a
 * large one is cut. Contradictory rules are flagged first and all included, because we cannot decide which one holds.
 */
export function fitRules(
  files: readonly RuleFile[],
  budget: InstructionBudget = {},
): { readonly text: string; readonly truncated: readonly string[] } {
  const { maxFileCharacters = MAX_RULE_FILE_CHARACTERS, maxTotalCharacters = MAX_RULES_CHARACTERS } = budget;
  const sorted = files
    .map(({ name, text }): InstructionFile => ({ scope: "project", path: name, text }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
  const head = `${HEADER}${flagConflicts(sorted, { maxFileCharacters, maxTotalCharacters })}\n\n`;
  const room = Math.max(0, maxTotalCharacters - head.length);
  const within = { maxFileCharacters, maxTotalCharacters: room };
  const { text, truncated, leftOut } = shareOut(sorted, within, ({ path }) => `## ${path}\n`);
  return { text: text === "" ? "" : head + text, truncated: [...truncated, ...leftOut] };
}

/** Flags use at most a quarter of the room, so that the rules fit. Only the part that may be shown is compared, because files can be anyone's. */
function flagConflicts(
  files: readonly InstructionFile[],
  { maxFileCharacters, maxTotalCharacters }: Required<InstructionBudget>,
): string {
  let left = maxTotalCharacters;
  const compared = files.map((file): InstructionFile => {
    const text = file.text.slice(0, Math.max(0, Math.min(maxFileCharacters, left)));
    left -= text.length;
    return { ...file, text };
  });
  const flags = cutText(renderRuleConflicts(findRuleConflicts(compared)), Math.floor(maxTotalCharacters / 4));
  return flags === "" ? "" : `\n\n${flags}`;
}
