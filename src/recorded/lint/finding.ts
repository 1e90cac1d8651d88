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
  | { readonly kind: "session"; readonly session: string }
  /** What every request carries: a server, a skill, an agent, or all of it. */
  | { readonly kind: "baseline"; readonly part: string };

/**
 * Everything that can be found wrong: the seven anti-patterns first, then the budgets and what keeps instructions true, which `lint`
 * holds files and sessions to; then what `audit` measures of the baseline.
 */
const RULES = [
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
  { id: "repeated-injection", about: "the same text repeated in one window", seenIn: ["sessions"] },
  { id: "whole-file-reads", about: "whole files read where a search would have done", seenIn: ["sessions"] },
  { id: "stale-instructions", about: "instructions about what is no longer there", seenIn: ["files"] },
  { id: "duplicate-instructions", about: "the same instructions from two scopes", seenIn: ["files"] },
  { id: "conflicting-rules", about: "rules that cannot all be followed", seenIn: ["files"] },
  { id: "context-budget", about: "15 % of the window used before you type", seenIn: ["baseline"] },
  { id: "server-count", about: "fewer than 10 MCP servers", seenIn: ["baseline"] },
  { id: "tool-count", about: "fewer than 80 MCP tools", seenIn: ["baseline"] },
  { id: "instruction-tokens", about: "2,000 tokens an instruction file", seenIn: ["baseline"] },
  { id: "skill-tokens", about: "3,000 tokens a skill", seenIn: ["baseline"] },
  { id: "agent-tokens", about: "400 tokens a description of an agent", seenIn: ["baseline"] },
] as const;

export type RuleId = (typeof RULES)[number]["id"];

export interface FindingRule {
  readonly id: RuleId;
  readonly about: string;
  /** Where it can be decided; what leaves no trace in either is not judged. */
  readonly seenIn: readonly ("files" | "sessions" | "baseline")[];
}

export const FINDING_RULES: readonly FindingRule[] = RULES;

/** Errors first, then in the order of the rules. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const order = ({ severity, rule }: Finding): number =>
    (severity === "error" ? 0 : FINDING_RULES.length) + FINDING_RULES.findIndex(({ id }) => id === rule);
  return [...findings].sort((left, right) => order(left) - order(right));
}

export function warn(rule: Finding["rule"], evidence: Evidence, what: string, fix: string): Finding {
  return { rule, severity: "warning", evidence, what, fix };
}

export function inFile(path: string, line?: number): Evidence {
  return { kind: "file", path, line };
}
