import { type CodeBlock, findCodeBlocks } from "./fold-code-block.ts";
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
      const blocks = planCodeBlocks(candidate, limits);
      folds.push(...blocks);
      if (blocks.length === 0) kept.push({ id: candidate.id, reason: "withinLimits" });
    }
  }
  const combined = planCombined(results, limits);
  const inGroups = new Set(combined.flatMap(({ ids }) => ids));
  for (const result of results) {
    if (inGroups.has(result.id)) continue;
    const reason = exceeds(result.text, limits);
    if (reason && !isWorthFolding(result.text)) kept.push({ id: result.id, reason: "savesTooLittle" });
    else if (reason) folds.push({ kind: "single", id: result.id, reason });
    else kept.push({ id: result.id, reason: "withinLimits" });
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

function planCodeBlocks({ id, text }: FoldCandidate, limits: FoldLimits): readonly PlannedFold[] {
  return findCodeBlocks(text)
    .filter(({ lines, from, to }) => lines > limits.codeBlockLines && to - from >= limits.leastCharacters)
    .map((block) => ({ kind: "codeBlock", id, block }));
}

/** Command classes with enough foldable outputs; large outputs of such a class are included. */
function planCombined(
  results: readonly FoldCandidate[],
  limits: FoldLimits,
): readonly Extract<PlannedFold, { kind: "combined" }>[] {
  const classes = new Map<string, string[]>();
  for (const { id, tool = "", command = "" } of results) {
    const name = nameCommandClass(tool, command);
    const ids = classes.get(name) ?? [];
    ids.push(id);
    classes.set(name, ids);
  }
  return [...classes]
    .filter(([, ids]) => ids.length >= limits.outputsOfOneClass)
    .map(([commandClass, ids]) => ({ kind: "combined", ids, commandClass }));
}

/** The kind of call, for counting repeats: the tool's name, for a shell with its first real program: `Bash git diff`. */
export function nameCommandClass(tool: string, command = ""): string {
  if (!/^(?:bash|shell|powershell|exec|run_command)$/i.test(tool)) return tool;
  const program = listPrograms(command).find((name) => !SETTING_UP.has(name));
  return program === undefined ? tool : `${tool} ${program}`;
}

const SETTING_UP: ReadonlySet<string> = new Set(["cd", "export", "source", "set", "echo", "sleep", "pushd", "#"]);
