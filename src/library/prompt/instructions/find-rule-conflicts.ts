import { groupBy } from "../../../core/group-by.ts";
import { dedupeFiles } from "./dedupe-files.ts";
import { dropFences, type InstructionFile, type InstructionPlace, sortByScope } from "./instruction-file.ts";

/** Rules that cannot all be followed. All of them stay, because we cannot decide which one holds. */
export interface RuleConflict {
  /** `polarity`: required and forbidden. `alternatives`: two options of which a project uses one. `number`: one rule, two figures. */
  readonly kind: "polarity" | "alternatives" | "number";
  readonly subject: string;
  readonly rules: readonly PlacedRule[];
}

export interface PlacedRule extends InstructionPlace {
  readonly sentence: string;
}

/** One statement of a rule on one subject. Two claims are compared if their subjects are the same. */
interface Claim {
  readonly kind: RuleConflict["kind"];
  readonly subject: string;
  /** Two claims agree if they share a value. */
  readonly values: readonly string[];
  readonly rule: PlacedRule;
}

export interface ConflictOptions {
  /** Choices of which a project makes one, in addition to the known ones. */
  readonly alternatives?: Alternatives;
  /** Whether two files are ever loaded together. Default: all are. */
  readonly areTogether?: (left: InstructionPlace, right: InstructionPlace) => boolean;
}

/**
 * Finds contradictions between files by their words, not their meaning: opposite orders about the same act, different choices where a
 * project has one, different figures in the same sentence. Modest on purpose: it misses paraphrases rather than raise false alarms.
 */
export function findRuleConflicts(
  files: readonly InstructionFile[],
  { alternatives = {}, areTogether }: ConflictOptions = {},
): readonly RuleConflict[] {
  const known = { ...ALTERNATIVES, ...alternatives };
  // The same text in two folders is loaded in two places, each with other files.
  const loaded = areTogether ? sortByScope(files) : dedupeFiles(files).files;
  const claims = loaded.flatMap((file) => listRules(file.text).flatMap((rule) => listClaims(rule, file, known)));
  const bySubject = groupBy(claims, ({ kind, subject }) => `${kind} ${subject}`);
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

/** A number that is a word of its own, not part of a name. */
const FIGURES = /(?<![\w#.-])\d+(?:\.\d+)*(?![\w-])/g;

function listClaims(rule: Rule, file: InstructionFile, alternatives: Alternatives): readonly Claim[] {
  const { action, qualifier, isNegated, sentence } = rule;
  const placed = { scope: file.scope, path: file.path, sentence };
  const about = (subject: string): string => (qualifier === "" ? subject : `${subject} ${qualifier}`);
  const polarity: Claim = { kind: "polarity", subject: about(action), values: [String(isNegated)], rule: placed };
  const choices = listChoices(rule, alternatives).map(([group, values]): Claim => {
    return { kind: "alternatives", subject: about(group), values, rule: placed };
  });
  const numbers = about(action).match(FIGURES) ?? [];
  const [number] = numbers;
  const subject = `${isNegated ? "not " : ""}${about(action).replace(FIGURES, "#")}`;
  const isFigure = number !== undefined && numbers.length === 1 && isComparable(subject);
  return [
    // One word is not a rule: "never the line" does not contradict "line".
    ...(action.includes(" ") ? [polarity] : []),
    ...choices,
    ...(isFigure ? [{ kind: "number", subject, values: [number], rule: placed } satisfies Claim] : []),
  ];
}

/** A figure with enough words around it to be the same statement, not the number of a step or an issue. */
function isComparable(subject: string): boolean {
  return (
    subject.split(" ").length >= 3 &&
    !/^(?:step|phase|part|section|chapter|figure|table|issue|version|example)\b/.test(subject)
  );
}

function contradict(left: Claim, right: Claim): boolean {
  return left.rule.path !== right.rule.path && !left.values.some((value) => right.values.includes(value));
}

/** More than a person would ever read; a file with more is not made of rules. */
const MAX_RULES = 2000;

const ITEM = /^\s*(?:[-*+>]|\d{1,4}[.)])\s+/;
/** What begins a line of its own: headings, tables, rules of dashes. */
const APART = /^\s{0,3}(?:#|\||-{3,}|={3,})/;

/** The rules of an instruction file, each once: its list items and sentences. Headings, tables and fenced examples demand nothing. */
function listRules(text: string): readonly Rule[] {
  const rules = joinLines(dropFences(text).split(/\r?\n/))
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?;])\s+/))
    .slice(0, MAX_RULES)
    .flatMap(parseRule);
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** A sentence may continue in the next line; a list item or an empty line ends it. */
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

/** What a rule chooses: "Use npm", "indent with tabs". "Use npm or yarn" allows two; "publish to npm" chooses nothing. */
function listChoices({ action, isNegated }: Rule, alternatives: Alternatives) {
  if (isNegated || !/^(?:use|indent|default|stick|install|manage|format)\b/.test(action)) return [];
  const padded = ` ${action.replace(/[.,;:]/g, " ")} `;
  return Object.entries(alternatives)
    .map(([group, all]) => [group, all.filter((member) => padded.includes(` ${member.toLowerCase()} `))] as const)
    .filter(([, members]) => members.length > 0);
}

/** What one sentence requires or forbids, normalised so that two files can be compared. */
interface Rule {
  /** As written in the file. */
  readonly sentence: string;
  readonly isNegated: boolean;
  /** `use tabs`, without case, punctuation, articles, and openers such as "always". */
  readonly action: string;
  /** `in makefiles`: a rule for a part is an exception to a general rule, not a contradiction. */
  readonly qualifier: string;
}

const MAX_WORDS = 30;
const FILLERS: ReadonlySet<string> = new Set(
  "the a an of with please always only just exactly your our you we must should shall will be".split(" "),
);
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ACTS: ReadonlyMap<string, string> = new Map(
  "using=use committing=commit pushing=push adding=add writing=write importing=import running=run mocking=mock throwing=throw editing=edit creating=create"
    .split(" ")
    .map((pair) => [pair.replace(/=.*/, ""), pair.replace(/.*=/, "")]),
);
const PLAIN_ACTS: ReadonlySet<string> = new Set(ACTS.values());

const NEGATION =
  /^(?:please )?(?:you |we )?(?:never|do not|don't|must not|mustn't|must never|should not|shouldn't|should never|avoid|no|not)\b ?/;
const NEGATED_PASSIVE =
  /^(.{1,80}?) (?:(?:must|should) (?:not|never) be used|(?:is|are) (?:not allowed|forbidden|prohibited))\b(.*)$/;
const PASSIVE = /^(.{1,80}?) (?:(?:must|should) (?:always )?be used|(?:is|are) (?:required|mandatory))\b(.*)$/;
/** "Use pnpm, not npm" says two things. */
const CONTRAST = /^(.{1,120}?),? (?:instead of|rather than|and not|and never|not|never) (.{1,80})$/;
const PREFERENCE = /^prefer (.{1,80}?) (?:over|to) (.{1,80})$/;
const QUALIFIER = /\s(?:in|for|when|if|unless|except|on|inside|within|under|before|after|during|while)\s.*$/;

/** Empty if the sentence is too long to be one rule. */
function parseRule(sentence: string): readonly Rule[] {
  const text = normalise(sentence);
  if (text === "" || text.split(" ").length > MAX_WORDS) return [];
  const bare = text.replace(/^[\w -]{1,40}: (?=\S)/, "");
  return parseSides(bare)
    .map(({ words, isNegated }) => {
      const qualifier = QUALIFIER.exec(words)?.[0] ?? "";
      const action = reduceWords(words.slice(0, words.length - qualifier.length));
      return { sentence: sentence.trim(), isNegated, action, qualifier: reduceWords(qualifier) };
    })
    .filter(({ action }) => action !== "");
}

function parseSides(text: string): readonly { readonly words: string; readonly isNegated: boolean }[] {
  const forbidden = NEGATED_PASSIVE.exec(text);
  if (forbidden) return [{ words: `use ${forbidden[1]}${forbidden[2]}`, isNegated: true }];
  const required = PASSIVE.exec(text);
  if (required) return [{ words: `use ${required[1]}${required[2]}`, isNegated: false }];
  const negation = NEGATION.exec(text)?.[0];
  if (negation !== undefined) {
    const rest = text.slice(negation.length);
    // "No tabs" and "avoid tabs" forbid a thing; "never commit" and "must not commit" forbid an act.
    const isThing = /(?:^| )(?:avoid|no) ?$|^not ?$/.test(negation) && !startsWithAct(rest);
    return [{ words: isThing ? `use ${rest}` : rest, isNegated: true }];
  }
  const opened = text.replace(/^(?:please )?(?:you |we )?(?:(?:must|should|shall) )?(?:always )?/, "");
  const contrast = PREFERENCE.exec(opened) ?? CONTRAST.exec(opened);
  if (!contrast) return [{ words: opened.replace(/^prefer /, "use "), isNegated: false }];
  const wanted = (contrast[1] ?? "").replace(/^prefer /, "use ");
  return [
    { words: /^use /.test(wanted) || !PREFERENCE.test(opened) ? wanted : `use ${wanted}`, isNegated: false },
    { words: startsWithAct(contrast[2] ?? "") ? (contrast[2] ?? "") : `use ${contrast[2]}`, isNegated: true },
  ];
}

function startsWithAct(words: string): boolean {
  const [first = ""] = words.split(" ");
  return ACTS.has(first) || PLAIN_ACTS.has(first);
}

/** Lower case, no emphasis, no final punctuation, single spaces. */
function normalise(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/\]\([^)\s]{0,200}\)/g, "]")
    .replace(/[`"*_()[\]]/g, " ")
    .replace(/(\d)-(?=[a-z])/g, "$1 ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.,;:!?]{1,9}$/, "")
    .trim();
}

function reduceWords(text: string): string {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== "" && !FILLERS.has(word))
    .map((word) => {
      const number = NUMBERS.indexOf(word);
      return number >= 0 ? String(number) : (ACTS.get(word) ?? word);
    })
    .join(" ");
}
