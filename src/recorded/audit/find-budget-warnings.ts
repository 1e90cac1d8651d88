import { isOverBudget } from "../../policy/advice/render-context-budget.ts";

/** What is carried by every request, as far as it has limits. */
export interface Baseline {
  /** Switched on. */
  readonly servers: number;
  readonly tools: number;
  readonly instructions: readonly { readonly path: string; readonly lines: number; readonly tokens: number }[];
  readonly skills: readonly { readonly name: string; readonly tokens: number }[];
  readonly agents: readonly { readonly name: string; readonly tokens: number }[];
  readonly baselineTokens: number;
  readonly windowTokens: number;
  /** Whether the baseline is a recorded request's, and not a rule of thumb. */
  readonly isRecorded: boolean;
}

export interface BudgetWarning {
  readonly kind: "servers" | "tools" | "instructions" | "skill" | "agent" | "budget";
  readonly text: string;
}

export const MOST_INSTRUCTION_LINES = 150;
const MOST_SERVERS = 10;
const MOST_TOOLS = 80;
const MOST_INSTRUCTION_TOKENS = 2000;
const MOST_SKILL_TOKENS = 3000;
const MOST_AGENT_TOKENS = 400;

export function findBudgetWarnings(baseline: Baseline): readonly BudgetWarning[] {
  const { servers, tools, baselineTokens, windowTokens, isRecorded } = baseline;
  const warn = (kind: BudgetWarning["kind"], text: string): BudgetWarning => ({ kind, text });
  const found: BudgetWarning[] = [];
  if (isOverBudget(baselineTokens, windowTokens)) {
    const share = ((baselineTokens / windowTokens) * 100).toFixed(1);
    const said = isRecorded
      ? `${share} % of the window is gone before a word is said`
      : `an estimate says that ${share} % of the window is gone before a word is said; a recorded session would tell`;
    found.push(warn("budget", `Context Budget Warning: ${said}`));
  }
  if (servers >= MOST_SERVERS)
    found.push(
      warn("servers", `${servers} MCP servers, ${MOST_SERVERS} or more: disable unused ones in the client's settings`),
    );
  if (tools >= MOST_TOOLS)
    found.push(warn("tools", `${tools} MCP tools, ${MOST_TOOLS} or more: remove or consolidate the largest servers`));
  return [...found, ...findFileWarnings(baseline)];
}

function findFileWarnings({ instructions, skills, agents }: Baseline): readonly BudgetWarning[] {
  const round = (tokens: number): number => Math.round(tokens);
  return [
    ...instructions.flatMap(({ path, lines, tokens }): readonly BudgetWarning[] => {
      if (lines >= MOST_INSTRUCTION_LINES)
        return [
          {
            kind: "instructions",
            text: `${path} has ${lines} lines, ${MOST_INSTRUCTION_LINES} or more: move detail to files in .plimsoll/ and keep an index`,
          },
        ];
      if (tokens <= MOST_INSTRUCTION_TOKENS) return [];
      return [
        { kind: "instructions", text: `${path} weighs ${round(tokens)} tokens, more than ${MOST_INSTRUCTION_TOKENS}` },
      ];
    }),
    ...skills
      .filter(({ tokens }) => tokens > MOST_SKILL_TOKENS)
      .map(
        ({ name, tokens }): BudgetWarning => ({
          kind: "skill",
          text: `the skill ${name} loads ${round(tokens)} tokens when it is invoked, more than ${MOST_SKILL_TOKENS}: move parts into files that it names`,
        }),
      ),
    ...agents
      .filter(({ tokens }) => tokens > MOST_AGENT_TOKENS)
      .map(
        ({ name, tokens }): BudgetWarning => ({
          kind: "agent",
          text: `the description of the agent ${name} weighs ${round(tokens)} tokens, more than ${MOST_AGENT_TOKENS}: shorten it`,
        }),
      ),
  ];
}

const TOKENS_PER_TOOL = 500;
const TOKENS_PER_AGENT = 300;

export interface CountedBaseline {
  readonly tools: number;
  readonly agents: number;
  readonly instructionTokens: number;
}

/** The rule of thumb. It knows neither the client's own prompt and tools nor how large a schema really is. */
export function estimateByFormula({ tools, agents, instructionTokens }: CountedBaseline): number {
  return tools * TOKENS_PER_TOOL + agents * TOKENS_PER_AGENT + instructionTokens;
}
