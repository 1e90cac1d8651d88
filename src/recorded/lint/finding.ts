export interface Finding {
  readonly rule: RuleId;
  readonly severity: "error" | "warning";
  readonly evidence: Evidence;
  readonly what: string;
  readonly fix: string;
}

export type Evidence =
  | { readonly kind: "file"; readonly path: string; readonly line: number | undefined }
  | { readonly kind: "session"; readonly session: string }
  /** What every request carries: a server, a skill, an agent, or all of it. */
  | { readonly kind: "baseline"; readonly part: string };

/**
 * All rules: first the seven anti-patterns, then the budgets and the checks that keep instructions true, all of which `lint` applies to
 * files and sessions; then what `audit` measures of the baseline.
 */
const RULES = [
  { id: "fixed-size-trimming", about: "history dropped without a record", seenIn: ["sessions"] },
  { id: "single-pass-summary", about: "a summary made before anything cheaper was tried", seenIn: ["sessions"] },
  { id: "no-truncation", about: "large tool results that entered the window whole", seenIn: ["sessions"] },
  { id: "no-dynamic-boundary", about: "the static prefix changed in the middle of a session", seenIn: ["sessions"] },
  { id: "free-prose-rules", about: "rules written as running text", seenIn: ["files"] },
  {
    id: "unconditional-loading",
    about: "instructions for every part of a project, always loaded",
    seenIn: ["files", "sessions"],
  },
  { id: "no-boundary-marker", about: "a summary whose beginning is not marked", seenIn: ["sessions"] },
  { id: "file-budget", about: "more than 4,000 characters in an instruction file", seenIn: ["files"] },
  { id: "total-budget", about: "more than 12,000 characters of instructions in all", seenIn: ["files"] },
  { id: "memory-index", about: "more than 200 lines in the memory index", seenIn: ["files"] },
  { id: "instruction-lines", about: "150 lines or more in an instruction file", seenIn: ["files"] },
  { id: "repeated-injection", about: "the same text repeated in one window", seenIn: ["sessions"] },
  { id: "whole-file-reads", about: "whole files read where a search would have been enough", seenIn: ["sessions"] },
  { id: "stale-instructions", about: "instructions about things that no longer exist", seenIn: ["files"] },
  { id: "duplicate-instructions", about: "the same instructions from two scopes", seenIn: ["files"] },
  { id: "conflicting-rules", about: "rules that cannot all be followed", seenIn: ["files"] },
  { id: "context-budget", about: "15 % of the window or more used before you type", seenIn: ["baseline"] },
  { id: "server-count", about: "10 MCP servers or more", seenIn: ["baseline"] },
  { id: "tool-count", about: "80 MCP tools or more", seenIn: ["baseline"] },
  { id: "instruction-tokens", about: "more than 2,000 tokens in an instruction file", seenIn: ["baseline"] },
  { id: "skill-tokens", about: "more than 3,000 tokens in a skill", seenIn: ["baseline"] },
  { id: "agent-tokens", about: "more than 400 tokens in an agent's description", seenIn: ["baseline"] },
] as const;

export type RuleId = (typeof RULES)[number]["id"];

export interface FindingRule {
  readonly id: RuleId;
  readonly about: string;
  /** Where the rule can be checked. What leaves no trace there is not judged. */
  readonly seenIn: readonly ("files" | "sessions" | "baseline")[];
}

export const FINDING_RULES: readonly FindingRule[] = RULES;

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
