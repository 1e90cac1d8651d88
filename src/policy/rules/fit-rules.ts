import { cutText, TRUNCATED } from "../../core/cut-text.ts";
import { findRuleConflicts, renderRuleConflicts } from "../../library/prompt/instructions/find-rule-conflicts.ts";
import type { InstructionFile } from "../../library/prompt/instructions/instruction-file.ts";

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
 * file that has no room is named at the end. The same text under two names is told once. Rules that cannot all be followed are
 * flagged before them and all told: which of them holds is not ours to say.
 */
export function fitRules(files: readonly RuleFile[], budget: RuleBudget = {}): FittedRules {
  const { maxFileCharacters = MAX_RULE_FILE_CHARACTERS, maxTotalCharacters = MAX_RULES_CHARACTERS } = budget;
  const sorted = listUnique(files);
  let text = `${HEADER}${flagConflicts(sorted, { maxFileCharacters, maxTotalCharacters })}`;
  const truncated: string[] = [];
  for (const [index, file] of sorted.entries()) {
    const heading = `\n\n## ${file.name}\n`;
    const others = sorted.slice(index + 1).map(({ name }) => name);
    const left = maxTotalCharacters - text.length;
    const body = cutText(file.text, Math.min(maxFileCharacters, left - heading.length - measureNames(others, left)));
    if (body !== file.text) truncated.push(file.name);
    // Of the first that does not fit a part is told; a part of each of those behind it would be worth less than its name.
    if (body === "" || (body !== file.text && file.text.length <= maxFileCharacters && body.length < LEAST_PART)) {
      const names = [file.name, ...others];
      return finish(text, { truncated: [...new Set([...truncated, ...names])], names, room: left });
    }
    text += `${heading}${body}`;
  }
  return finish(text, { truncated, names: [], room: 0 });
}

/** Less of a file is no part that a reader could go by. */
const LEAST_PART = 200;
/** Room for a count where there is none for names. */
const LEAST_NAMES = 100;

function listUnique(files: readonly RuleFile[]): readonly RuleFile[] {
  const unique = new Map<string, RuleFile>();
  for (const file of files) {
    const text = file.text.trim();
    if (text !== "" && !unique.has(text)) unique.set(text, { name: file.name, text });
  }
  return [...unique.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Within a quarter of the room, so that the rules themselves are told. Only as much as may be told is compared: files are anybody's. */
function flagConflicts(
  files: readonly RuleFile[],
  { maxFileCharacters, maxTotalCharacters }: Required<RuleBudget>,
): string {
  let left = maxTotalCharacters;
  const compared = files.map(({ name, text }): InstructionFile => {
    const part = text.slice(0, Math.max(0, Math.min(maxFileCharacters, left)));
    left -= part.length;
    return { scope: "project", path: name, text: part };
  });
  const flags = cutText(renderRuleConflicts(findRuleConflicts(compared)), Math.floor(maxTotalCharacters / 4));
  return flags === "" ? "" : `\n\n${flags}`;
}

/** What naming the files behind this one will take: never so much that nothing could be told of any. */
function measureNames(names: readonly string[], room: number): number {
  return names.length === 0 ? 0 : Math.min(renderUntold(names).length, Math.max(LEAST_NAMES, Math.floor(room / 2)));
}

function renderUntold(names: readonly string[]): string {
  return `\n\n${TRUNCATED} No room here, read them with Read: ${names.join(", ")}`;
}

/** As many names as fit, then how many more there are. */
function finish(
  text: string,
  {
    truncated,
    names,
    room,
  }: { readonly truncated: readonly string[]; readonly names: readonly string[]; readonly room: number },
): FittedRules {
  let told = "";
  for (let count = names.length; count >= 0 && names.length > 0 && told === ""; count--) {
    const more = names.length - count;
    const line = renderUntold([...names.slice(0, count), ...(more === 0 ? [] : [`and ${more} more`])]);
    if (line.length <= room) told = line;
  }
  const whole = `${text}${told}`;
  return { text: whole === HEADER ? "" : whole, truncated };
}
