import { isOverBudget } from "../../policy/advice/render-context-budget.ts";
import { type Finding, inFile, warn } from "../lint/finding.ts";

export interface LimitedBaseline {
  /** Only those that are switched on. */
  readonly servers: number;
  readonly tools: number;
  readonly instructions: readonly { readonly path: string; readonly lines: number; readonly tokens: number }[];
  readonly skills: readonly { readonly name: string; readonly tokens: number }[];
  readonly agents: readonly { readonly name: string; readonly tokens: number }[];
  readonly baselineTokens: number;
  readonly windowTokens: number;
  /** The baseline comes from a recorded request, not from a rule of thumb. */
  readonly isRecorded: boolean;
}

export const MOST_INSTRUCTION_LINES = 150;
const MOST_SERVERS = 10;
const MOST_TOOLS = 80;
const MOST_INSTRUCTION_TOKENS = 2000;
const MOST_SKILL_TOKENS = 3000;
const MOST_AGENT_TOKENS = 400;

export function findBudgetWarnings(baseline: LimitedBaseline): readonly Finding[] {
  const { servers, tools, baselineTokens, windowTokens, isRecorded } = baseline;
  const found: Finding[] = [];
  if (isOverBudget(baselineTokens, windowTokens)) {
    const share = ((baselineTokens / windowTokens) * 100).toFixed(1);
    const what = isRecorded
      ? `${share} % of the window is used before you type`
      : `an estimated ${share} % of the window is used before you type; a recorded session would show the exact share`;
    found.push(warnOf("context-budget", "all of it", `Context Budget Warning: ${what}`, 'see "What would help" below'));
  }
  if (servers >= MOST_SERVERS) {
    const what = `${servers} MCP servers; fewer than ${MOST_SERVERS} are recommended`;
    found.push(warnOf("server-count", "MCP servers", what, "disable unused servers in the client's settings"));
  }
  if (tools >= MOST_TOOLS) {
    const what = `${tools} MCP tools; fewer than ${MOST_TOOLS} are recommended`;
    found.push(warnOf("tool-count", "MCP tools", what, "remove or consolidate the largest servers"));
  }
  return [...found, ...findFileWarnings(baseline)];
}

function warnOf(rule: Finding["rule"], part: string, what: string, fix: string): Finding {
  return warn(rule, { kind: "baseline", part }, what, fix);
}

function findFileWarnings({ instructions, skills, agents }: LimitedBaseline): readonly Finding[] {
  return [
    ...instructions.flatMap((file) => checkLines(file) ?? checkTokens(file) ?? []),
    ...skills
      .filter(({ tokens }) => tokens > MOST_SKILL_TOKENS)
      .map(({ name, tokens }) => {
        const what = `the skill ${name} loads ${Math.round(tokens)} tokens when it is invoked, more than the recommended ${MOST_SKILL_TOKENS}`;
        return warnOf("skill-tokens", `skill ${name}`, what, "move parts of the skill into files that it refers to");
      }),
    ...agents
      .filter(({ tokens }) => tokens > MOST_AGENT_TOKENS)
      .map(({ name, tokens }) => {
        const what = `the description of the agent ${name} takes ${Math.round(tokens)} tokens, more than the recommended ${MOST_AGENT_TOKENS}`;
        return warnOf("agent-tokens", `agent ${name}`, what, "shorten the description");
      }),
  ];
}

export function checkLines({ path, lines }: { readonly path: string; readonly lines: number }): Finding | undefined {
  if (lines < MOST_INSTRUCTION_LINES) return undefined;
  const what = `the file has ${lines} lines; fewer than ${MOST_INSTRUCTION_LINES} are recommended`;
  const fix = "move detail to files in .plimsoll/ or docs/, and keep an index";
  return warn("instruction-lines", inFile(path, MOST_INSTRUCTION_LINES), what, fix);
}

function checkTokens({ path, tokens }: LimitedBaseline["instructions"][number]): Finding | undefined {
  if (tokens <= MOST_INSTRUCTION_TOKENS) return undefined;
  const what = `the file takes ${Math.round(tokens)} tokens, more than the recommended ${MOST_INSTRUCTION_TOKENS}`;
  return warn("instruction-tokens", inFile(path), what, "keep what every task needs, and refer to files for the rest");
}

const TOKENS_PER_TOOL = 500;
const TOKENS_PER_AGENT = 300;

/** The rule of thumb. It ignores the client's own prompt and tools, and the real size of schemas. */
export function estimateByFormula(counts: Readonly<Record<"tools" | "agents" | "instructionTokens", number>>): number {
  return counts.tools * TOKENS_PER_TOOL + counts.agents * TOKENS_PER_AGENT + counts.instructionTokens;
}
