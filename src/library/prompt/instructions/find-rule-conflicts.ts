import { dedupeFiles } from "./dedupe-files.ts";
import { type InstructionFile, type InstructionPlace, sortByScope } from "./instruction-file.ts";
import { parseRule, type Rule } from "./parse-rule.ts";

/** Rules that cannot all be followed. Every one stays: which of them holds is not ours to say. */
export interface RuleConflict {
  /** `polarity`: demanded and forbidden. `alternatives`: two of which a project uses one. `number`: one rule, two figures. */
  readonly kind: "polarity" | "alternatives" | "number";
  readonly subject: string;
  readonly rules: readonly PlacedRule[];
}

export interface PlacedRule extends InstructionPlace {
  readonly sentence: string;
}

/** One thing that a rule says on one subject; two claims meet where their subjects are the same. */
interface Claim {
  readonly kind: RuleConflict["kind"];
  readonly subject: string;
  /** Two claims agree where they share one. */
  readonly values: readonly string[];
  readonly rule: PlacedRule;
}

export interface ConflictOptions {
  /** Choices of which a project makes one, beside those that are known. */
  readonly alternatives?: Alternatives;
  /** Whether two files are ever told at the same time; all are where nobody says. */
  readonly areTogether?: (left: InstructionPlace, right: InstructionPlace) => boolean;
}

/**
 * Contradictions between files, by their words and not by their meaning: opposite orders about the same act, different choices
 * where a project has one, different figures in the same sentence. Modest on purpose: it misses paraphrases rather than cry wolf.
 */
export function findRuleConflicts(
  files: readonly InstructionFile[],
  { alternatives = {}, areTogether }: ConflictOptions = {},
): readonly RuleConflict[] {
  const known = { ...ALTERNATIVES, ...alternatives };
  const bySubject = new Map<string, Claim[]>();
  // The same text in two folders is told in two places, each beside others.
  for (const file of areTogether ? sortByScope(files) : dedupeFiles(files).files)
    for (const rule of uniqueRules(listRules(file.text)))
      for (const claim of listClaims(rule, file, known)) {
        const key = `${claim.kind} ${claim.subject}`;
        const about = bySubject.get(key);
        if (about) about.push(claim);
        else bySubject.set(key, [claim]);
      }
  return [...bySubject.values()].flatMap((about) => {
    const disputed = about.filter((claim) =>
      about.some((other) => contradict(claim, other) && (areTogether?.(claim.rule, other.rule) ?? true)),
    );
    const [first] = disputed;
    return first ? [{ kind: first.kind, subject: first.subject, rules: disputed.map(({ rule }) => rule) }] : [];
  });
}

/** Both sides in their own words, under a flag. */
export function renderRuleConflicts(conflicts: readonly RuleConflict[]): string {
  return conflicts
    .flatMap(({ subject, rules }) => [
      `CONFLICT on "${subject}": instruction files disagree, none was picked; ask which one holds.`,
      ...rules.map(({ path, scope, sentence }) => `- ${path} (${scope}): ${sentence}`),
    ])
    .join("\n");
}

/** A number that is a word of its own, not a part of a name. */
const FIGURES = /(?<![\w#.-])\d+(?:\.\d+)*(?![\w-])/g;

/** A file may say the same a hundred times; it is one rule. */
function uniqueRules(rules: readonly Rule[]): Iterable<Rule> {
  return new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values();
}

function listClaims(rule: Rule, file: InstructionFile, alternatives: Alternatives): readonly Claim[] {
  const { action, qualifier, isNegated, sentence } = rule;
  const placed = { scope: file.scope, path: file.path, sentence };
  const about = (subject: string): string => (qualifier === "" ? subject : `${subject} ${qualifier}`);
  const polarity: Claim = { kind: "polarity", subject: about(action), values: [String(isNegated)], rule: placed };
  const choices = listChoices(rule, alternatives).map(({ group, members }): Claim => {
    return { kind: "alternatives", subject: about(group), values: members, rule: placed };
  });
  const numbers = about(action).match(FIGURES) ?? [];
  const [number] = numbers;
  const subject = `${isNegated ? "not " : ""}${about(action).replace(FIGURES, "#")}`;
  const isFigure = number !== undefined && numbers.length === 1 && isComparable(subject);
  return [
    // One word is no rule: "never the line" stands in no dispute with "line".
    ...(action.includes(" ") ? [polarity] : []),
    ...choices,
    ...(isFigure ? [{ kind: "number", subject, values: [number], rule: placed } satisfies Claim] : []),
  ];
}

/** A figure among enough words to be the same statement, and not the number of a step or an issue. */
function isComparable(subject: string): boolean {
  return (
    subject.split(" ").length >= 3 &&
    !/^(?:step|phase|part|section|chapter|figure|table|issue|version|example)\b/.test(subject)
  );
}

function contradict(left: Claim, right: Claim): boolean {
  return left.rule.path !== right.rule.path && !left.values.some((value) => right.values.includes(value));
}

/** More than a person would ever read; a file that has more is not made of rules. */
const MAX_RULES = 2000;

const ITEM = /^\s*(?:[-*+>]|\d{1,4}[.)])\s+/;
/** What begins a line of its own: headings, tables, rules of dashes. */
const APART = /^\s{0,3}(?:#|\||-{3,}|={3,})/;

/** The rules of an instruction file: its list items and sentences. Headings, tables and examples in fences demand nothing. */
function listRules(text: string): readonly Rule[] {
  const prose = text
    .split("```")
    .filter((_, index) => index % 2 === 0)
    .join("\n\n");
  return joinLines(prose.split(/\r?\n/))
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?;])\s+/))
    .slice(0, MAX_RULES)
    .flatMap(parseRule);
}

/** A sentence may go on in the next line; a list item or an empty line ends it. */
function joinLines(lines: readonly string[]): readonly string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isApart = line.trim() === "" || APART.test(line);
    const last = paragraphs.length - 1;
    if (!isApart && isOpen && !ITEM.test(line)) paragraphs[last] = `${paragraphs[last]} ${line.trim()}`;
    else if (!isApart) paragraphs.push(line.replace(ITEM, "").trim());
    isOpen = !isApart;
  }
  return paragraphs;
}

/** Things of which a project uses one. */
type Alternatives = Readonly<Record<string, readonly string[]>>;

const ALTERNATIVES: Alternatives = {
  "package manager": ["npm", "pnpm", "yarn", "bun"],
  "Python packages": ["pip", "poetry", "pipenv", "uv"],
  indentation: ["tabs", "spaces"],
  quotes: ["single quotes", "double quotes"],
  "module format": ["commonjs", "esm", "es modules"],
  "test runner": ["jest", "vitest", "mocha", "ava"],
  "Python test runner": ["pytest", "unittest"],
  "merge strategy": ["squash", "rebase", "merge commits"],
  "line endings": ["lf", "crlf"],
};

interface Choice {
  readonly group: string;
  /** Whichever the rule allows: "use npm or yarn" allows two. */
  readonly members: readonly string[];
}

/** "Use npm", "indent with tabs": what a rule chooses. "Publish to npm" chooses nothing. */
function listChoices({ action, isNegated }: Rule, alternatives: Alternatives): readonly Choice[] {
  if (isNegated || !/^(?:use|indent|default|stick|install|manage|format)\b/.test(action)) return [];
  const padded = ` ${action.replace(/[.,;:]/g, " ")} `;
  return Object.entries(alternatives).flatMap(([group, all]) => {
    const members = all.filter((member) => padded.includes(` ${member.toLowerCase()} `));
    return members.length === 0 ? [] : [{ group, members }];
  });
}
