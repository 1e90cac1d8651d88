import { cutText } from "../../core/clip-text.ts";
import { findRuleConflicts, renderRuleConflicts } from "../../library/prompt/instructions/find-rule-conflicts.ts";
import { type InstructionBudget, shareOut } from "../../library/prompt/instructions/fit-instructions.ts";
import type { InstructionFile } from "../../library/prompt/instructions/instruction-file.ts";

/** A file of standing rules, as it was found. */
export interface RuleFile {
  /** From the project's folder. */
  readonly name: string;
  readonly text: string;
}

export interface FittedRules {
  /** For the model; empty where there are no rules. */
  readonly text: string;
  /** Names of files that were cut or left out. */
  readonly truncated: readonly string[];
}

const MAX_RULE_FILE_CHARACTERS = 4000;
export const MAX_RULES_CHARACTERS = 12_000;
const HEADER = "Project rules (rules/*.md):";

/**
 * Every file in the order of names, shared out as instructions are: each within its own limit, and small ones whole before a large one is
 * cut. Rules that cannot all be followed are flagged before them and all told: which of them holds is not ours to say.
 */
export function fitRules(files: readonly RuleFile[], budget: InstructionBudget = {}): FittedRules {
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

/** Within a quarter of the room, so that the rules themselves are told. Only as much as may be told is compared: files are anybody's. */
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
