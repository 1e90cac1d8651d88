import { type CodeBlock, findLongBlocks } from "./fold-code-block.ts";
import { listPrograms } from "./hint.ts";
import { DEFAULT_LIMITS, exceeds, type FoldLimits, isWorthFolding } from "./thresholds.ts";

/** Something in the conversation that may be too large for it. */
export interface FoldCandidate {
  readonly id: string;
  /** Results may be folded; of the model's messages only code blocks; the person's words never. */
  readonly source: "toolResult" | "assistant" | "user";
  readonly text: string;
  readonly tool?: string | undefined;
  readonly command?: string | undefined;
  readonly isError?: boolean | undefined;
}

export type PlannedFold =
  | { readonly kind: "single"; readonly id: string; readonly reason: "characters" | "lines" }
  | { readonly kind: "combined"; readonly ids: readonly string[]; readonly commandClass: string }
  | { readonly kind: "codeBlock"; readonly id: string; readonly block: CodeBlock };

export interface KeptCandidate {
  readonly id: string;
  readonly reason: "userMessage" | "errorOutput" | "tooSmall" | "withinLimits" | "savesTooLittle" | "notYet";
}

export interface FoldPlan {
  readonly folds: readonly PlannedFold[];
  /** What stays, and why. Every candidate is in `folds` or here. */
  readonly kept: readonly KeptCandidate[];
}

const LEVELS = ["GREEN", "YELLOW", "ORANGE", "RED"] as const;

export interface FoldOptions {
  readonly limits?: Partial<FoldLimits> | undefined;
  /** How close to the line the session is; without it folding is due. */
  readonly level?: (typeof LEVELS)[number] | undefined;
  /** The level from which folding starts. Folding an output before it is sent costs nothing, so the default is at once. */
  readonly fromLevel?: (typeof LEVELS)[number] | undefined;
}

/** Decides what to fold; stores and replaces nothing. */
export function planFold(candidates: readonly FoldCandidate[], options: FoldOptions = {}): FoldPlan {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  if (!isDue(options)) return { folds: [], kept: candidates.map(({ id }) => ({ id, reason: "notYet" })) };
  const kept: KeptCandidate[] = [];
  const results: FoldCandidate[] = [];
  const folds: PlannedFold[] = [];
  for (const candidate of candidates) {
    const spared = spare(candidate, limits);
    if (spared) kept.push({ id: candidate.id, reason: spared });
    else if (candidate.source === "toolResult") results.push(candidate);
    else {
      const blocks = findLongBlocks(candidate.text, limits);
      folds.push(...blocks.map((block) => ({ kind: "codeBlock", id: candidate.id, block }) as const));
      if (blocks.length === 0) kept.push({ id: candidate.id, reason: "withinLimits" });
    }
  }
  const combined = planCombined(results, limits);
  const inGroups = new Set(combined.flatMap(({ ids }) => ids));
  for (const { id, text } of results) {
    if (inGroups.has(id)) continue;
    const reason = exceeds(text, limits);
    if (!reason) kept.push({ id, reason: "withinLimits" });
    else if (isWorthFolding(text)) folds.push({ kind: "single", id, reason });
    else kept.push({ id, reason: "savesTooLittle" });
  }
  return { folds: [...folds, ...combined], kept };
}

function isDue({ level = "RED", fromLevel = "GREEN" }: FoldOptions): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(fromLevel);
}

function spare({ source, isError, text }: FoldCandidate, limits: FoldLimits): KeptCandidate["reason"] | undefined {
  if (source === "user") return "userMessage";
  if (isError) return "errorOutput";
  return text.length < limits.leastCharacters ? "tooSmall" : undefined;
}

/** Command classes with enough foldable outputs; large outputs of such a class are included. */
function planCombined(results: readonly FoldCandidate[], limits: FoldLimits) {
  const classes = new Map<string, string[]>();
  for (const { id, tool = "", command = "" } of results) {
    const name = nameCommandClass(tool, command);
    const ids = classes.get(name) ?? [];
    ids.push(id);
    classes.set(name, ids);
  }
  return [...classes]
    .filter(([, ids]) => ids.length >= limits.outputsOfOneClass)
    .map(([commandClass, ids]) => ({ kind: "combined", ids, commandClass }) as const);
}

/** The kind of call, for counting repeats: the tool's name, for a shell with its first real program: `Bash git diff`. */
export function nameCommandClass(tool: string, command = ""): string {
  if (!/^(?:bash|shell|powershell|exec|run_command)$/i.test(tool)) return tool;
  const program = listPrograms(command).find((name) => !SETTING_UP.has(name));
  return program === undefined ? tool : `${tool} ${program}`;
}

const SETTING_UP: ReadonlySet<string> = new Set(["cd", "export", "source", "set", "echo", "sleep", "pushd", "#"]);
