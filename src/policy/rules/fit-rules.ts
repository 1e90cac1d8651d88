import { cutText } from "../../core/cut-text.ts";

/** A file of standing rules, as it was found. */
export interface RuleFile {
  /** From the project's folder. */
  readonly name: string;
  readonly text: string;
}

export interface RuleBudget {
  readonly maxFileCharacters?: number;
  readonly maxTotalCharacters?: number;
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
 * Every file in the order of names, each within its own limit and all within theirs. What is cut says so where it is cut; a
 * file that has no room is still named. The same text under two names is told once.
 */
export function fitRules(files: readonly RuleFile[], budget: RuleBudget = {}): FittedRules {
  const { maxFileCharacters = MAX_RULE_FILE_CHARACTERS, maxTotalCharacters = MAX_RULES_CHARACTERS } = budget;
  const unique = new Map<string, RuleFile>();
  for (const file of files) {
    const text = file.text.trim();
    if (text !== "" && !unique.has(text)) unique.set(text, { name: file.name, text });
  }
  const sorted = [...unique.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  const truncated: string[] = [];
  let text = HEADER;
  for (const file of sorted) {
    const heading = `\n\n## ${file.name}\n`;
    const room = Math.min(maxFileCharacters, maxTotalCharacters - text.length - heading.length);
    const body = cutText(file.text, room);
    if (body !== file.text) truncated.push(file.name);
    // Not even a heading with its mark: the count at the end has to do.
    if (body === "") continue;
    text += `${heading}${body}`;
  }
  return sorted.length === 0 || text === HEADER ? { text: "", truncated } : { text, truncated };
}
