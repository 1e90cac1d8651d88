/** One thing that is wrong, with what shows it. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: "error" | "warning";
  readonly evidence: Evidence;
  /** What was seen, with its figures. */
  readonly what: string;
  readonly fix: string;
}

export type Evidence =
  | { readonly kind: "file"; readonly path: string; readonly line: number | undefined }
  | { readonly kind: "session"; readonly session: string };

export type RuleId =
  | "fixed-size-trimming"
  | "single-pass-summary"
  | "no-truncation"
  | "no-dynamic-boundary"
  | "free-prose-rules"
  | "unconditional-loading"
  | "no-boundary-marker"
  | "file-budget"
  | "total-budget"
  | "memory-index"
  | "instruction-lines"
  | "repeated-injection"
  | "stale-instructions"
  | "duplicate-instructions"
  | "conflicting-rules";

export interface LintRule {
  readonly id: RuleId;
  readonly about: string;
  /** Where it can be decided; what leaves no trace in either is not judged. */
  readonly seenIn: readonly ("files" | "sessions")[];
}

/** The seven anti-patterns first, then the budgets and what keeps instructions true. */
export const LINT_RULES: readonly LintRule[] = [
  { id: "fixed-size-trimming", about: "history dropped by count, or without a record", seenIn: ["files", "sessions"] },
  { id: "single-pass-summary", about: "a summary with nothing cheaper tried before it", seenIn: ["sessions"] },
  { id: "no-truncation", about: "large tool results in the window whole", seenIn: ["sessions"] },
  { id: "no-dynamic-boundary", about: "the static prefix changed in the middle of a session", seenIn: ["sessions"] },
  { id: "free-prose-rules", about: "rules as running text", seenIn: ["files"] },
  { id: "unconditional-loading", about: "instructions of every part loaded always", seenIn: ["files", "sessions"] },
  { id: "no-boundary-marker", about: "a summary without a mark where it begins", seenIn: ["sessions"] },
  { id: "file-budget", about: "4,000 characters an instruction file", seenIn: ["files"] },
  { id: "total-budget", about: "12,000 characters of instructions in all", seenIn: ["files"] },
  { id: "memory-index", about: "200 lines of memory index", seenIn: ["files"] },
  { id: "instruction-lines", about: "fewer than 150 lines an instruction file", seenIn: ["files"] },
  { id: "repeated-injection", about: "the same text told again in one window", seenIn: ["sessions"] },
  { id: "stale-instructions", about: "instructions about what is no longer there", seenIn: ["files"] },
  { id: "duplicate-instructions", about: "the same instructions from two scopes", seenIn: ["files"] },
  { id: "conflicting-rules", about: "rules that cannot all be followed", seenIn: ["files"] },
];

export function inFile(path: string, line?: number): Evidence {
  return { kind: "file", path, line };
}
