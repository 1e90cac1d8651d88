import { isOverBudget } from "../../policy/advice/render-context-budget.ts";
import { type Finding, inFile, warn } from "../lint/finding.ts";
import { type StartupContext, sumOf, type WeighedFiles, type WeighedInstruction } from "./startup-context.ts";

export const MOST_INSTRUCTION_LINES = 150;
const MOST_SERVERS = 10;
const MOST_TOOLS = 80;
const MOST_INSTRUCTION_TOKENS = 2000;
const MOST_SKILL_TOKENS = 3000;
const MOST_AGENT_TOKENS = 400;

export function findBudgetWarnings(
  { servers, files, first, windowTokens }: StartupContext,
  baselineTokens: number,
): readonly Finding[] {
  const tools = sumOf(servers, "tools");
  const found: Finding[] = [];
  if (isOverBudget(baselineTokens, windowTokens)) {
    const share = ((baselineTokens / windowTokens) * 100).toFixed(1);
    const what = first
      ? `${share} % of the window is used before you type`
      : `an estimated ${share} % of the window is used before you type; a recorded session would show the exact share`;
    found.push(warnOf("context-budget", "all of it", `Context Budget Warning: ${what}`, 'see "What would help" below'));
  }
  if (servers.length >= MOST_SERVERS) {
    const what = `${servers.length} MCP servers; fewer than ${MOST_SERVERS} are recommended`;
    found.push(warnOf("server-count", "MCP servers", what, "disable unused servers in the agent's settings"));
  }
  if (tools >= MOST_TOOLS) {
    const what = `${tools} MCP tools; fewer than ${MOST_TOOLS} are recommended`;
    found.push(warnOf("tool-count", "MCP tools", what, "remove or consolidate the largest servers"));
  }
  return [...found, ...findFileWarnings(files)];
}

function warnOf(rule: Finding["rule"], part: string, what: string, fix: string): Finding {
  return warn(rule, { kind: "baseline", part }, what, fix);
}

function findFileWarnings({ instructions, skills, agents }: WeighedFiles): readonly Finding[] {
  return [
    ...instructions.flatMap((file) => checkLines(file) ?? checkTokens(file) ?? []),
    ...skills
      .filter(({ bodyTokens }) => bodyTokens > MOST_SKILL_TOKENS)
      .map(({ name, bodyTokens }) => {
        const what = `the skill ${name} loads ${Math.round(bodyTokens)} tokens when it is invoked, more than the recommended ${MOST_SKILL_TOKENS}`;
        return warnOf("skill-tokens", `skill ${name}`, what, "move parts of the skill into files that it refers to");
      }),
    ...agents
      .filter(({ listingTokens }) => listingTokens > MOST_AGENT_TOKENS)
      .map(({ name, listingTokens }) => {
        const what = `the description of the agent ${name} takes ${Math.round(listingTokens)} tokens, more than the recommended ${MOST_AGENT_TOKENS}`;
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

function checkTokens({ path, tokens }: WeighedInstruction): Finding | undefined {
  if (tokens <= MOST_INSTRUCTION_TOKENS) return undefined;
  const what = `the file takes ${Math.round(tokens)} tokens, more than the recommended ${MOST_INSTRUCTION_TOKENS}`;
  return warn("instruction-tokens", inFile(path), what, "keep what every task needs, and refer to files for the rest");
}
