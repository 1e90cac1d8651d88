import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { isOverBudget, renderContextBudget } from "../../../policy/advice/render-context-budget.ts";
import {
  estimateByFormula,
  findBudgetWarnings,
  type LimitedBaseline,
  MOST_INSTRUCTION_LINES,
} from "../../../recorded/audit/find-budget-warnings.ts";
import { decideLoading, type Loading } from "../../../recorded/audit/first-request.ts";
import { type BaselinePart, listParts } from "../../../recorded/audit/list-parts.ts";
import { type AuditRecommendation, listRecommendations } from "../../../recorded/audit/list-recommendations.ts";
import { priceCarry } from "../../../recorded/audit/price-carry.ts";
import { type Finding, sortFindings } from "../../../recorded/lint/finding.ts";
import { type AuditedServer, settleServers } from "./audit-servers.ts";
import type { Recorded } from "./read-recorded.ts";
import type { WeighedFiles } from "./weigh-files.ts";

/** What every request of a project pays before a word is said. */
export interface Audit extends WeighedFiles, Pick<Recorded, "model" | "tokenizer" | "repeated" | "injections"> {
  readonly project: string;
  readonly pricesAsOf: string;
  readonly windowTokens: number;
  readonly windowStanding: "table" | "assumed";
  readonly baselineTokens: number;
  /** `recorded`: the first request of the newest session. `estimated`: the larger of the formula and the parts. */
  readonly baselineSource: "recorded" | "estimated";
  readonly baselineShare: number;
  readonly firstRequests: Recorded["firsts"];
  readonly formulaTokens: number;
  readonly partsTokens: number;
  readonly parts: readonly BaselinePart[];
  /** The client's own prompt and tools, and what nobody recorded; `undefined` without a record. */
  readonly unexplainedTokens: number | undefined;
  readonly loading: Loading;
  readonly tools: number;
  readonly allLoadedTokens: number;
  readonly allDeferredTokens: number;
  readonly servers: readonly AuditedServer[];
  readonly sessions: number;
  readonly requestsPerMonth: number;
  readonly usdPerMonth: number | undefined;
  /** Whether dollars a month are a lower bound: some requests have no price. */
  readonly isAtLeast: boolean;
  readonly warnings: readonly Finding[];
  readonly recommendations: readonly AuditRecommendation[];
  /** For the health report; `undefined` where the baseline is within its budget. */
  readonly contextBudget: string | undefined;
}

export interface AuditInput {
  readonly project: string;
  readonly recorded: Recorded;
  readonly servers: readonly AuditedServer[];
  readonly files: WeighedFiles;
}

export function judgeBaseline({ project, recorded, servers: weighed, files }: AuditInput): Audit {
  const [first] = recorded.firsts;
  const { windowTokens, standing } = recorded.window;
  const loading = decideLoading(first, sumOf(weighed, "loadedTokens"));
  const servers = settleServers(weighed, loading);
  // Without a record nothing says that the client sent what the person has not approved.
  const loaded = servers.filter(({ isDisabled, isApproved }) => !isDisabled && (isApproved || first !== undefined));
  const tools = sumOf(loaded, "tools");
  const parts = partsOf(loaded, files, { loading, listings: first?.listings ?? {} });
  const partsTokens = sumOf(parts, "tokens");
  const instructionTokens = sumOf(files.instructions, "tokens");
  const formulaTokens = estimateByFormula({ tools, agents: files.agents.length, instructionTokens });
  const baselineTokens = first?.baseTokens ?? Math.max(formulaTokens, partsTokens);
  const warnings = warningsOf(loaded, files, { baselineTokens, windowTokens, isRecorded: first !== undefined });
  return {
    ...files,
    project,
    pricesAsOf: PRICES_AS_OF,
    model: recorded.model,
    tokenizer: recorded.tokenizer,
    windowTokens,
    windowStanding: standing,
    baselineTokens,
    baselineSource: first ? "recorded" : "estimated",
    baselineShare: baselineTokens / windowTokens,
    firstRequests: recorded.firsts,
    formulaTokens,
    partsTokens,
    parts,
    unexplainedTokens: first ? first.baseTokens - partsTokens : undefined,
    loading,
    tools,
    allLoadedTokens: sumOf(loaded, "loadedTokens"),
    allDeferredTokens: sumOf(loaded, "deferredTokens"),
    servers,
    sessions: recorded.use.sessions,
    requestsPerMonth: recorded.month.requests.length,
    usdPerMonth: priceCarry(baselineTokens, recorded.month),
    isAtLeast: recorded.month.unpriced > 0,
    warnings,
    recommendations: recommendationsOf(loaded, files, { recorded, isWarned: warnings.length > 0 }),
    repeated: recorded.repeated,
    injections: recorded.injections,
    contextBudget: isOverBudget(baselineTokens, windowTokens)
      ? renderContextBudget({ baselineTokens, windowTokens, isRecorded: first !== undefined, servers: loaded })
      : undefined,
  };
}

function partsOf(
  loaded: readonly AuditedServer[],
  files: WeighedFiles,
  seen: { readonly loading: Loading; readonly listings: Readonly<Record<string, number>> },
): readonly BaselinePart[] {
  return listParts({
    ...seen,
    servers: {
      loadedTokens: sumOf(loaded, "loadedTokens"),
      deferredTokens: sumOf(loaded, "deferredTokens"),
      instructionTokens: sumOf(loaded, "instructionTokens"),
    },
    agentTokens: sumOf(files.agents, "listingTokens"),
    skillTokens: sumOf(files.skills, "listingTokens"),
    instructionTokens: sumOf(files.instructions, "tokens"),
    memoryTokens: files.memoryTokens,
  });
}

function warningsOf(
  loaded: readonly AuditedServer[],
  { instructions, skills, agents }: WeighedFiles,
  sizes: Pick<LimitedBaseline, "baselineTokens" | "windowTokens" | "isRecorded">,
): readonly Finding[] {
  const findings = findBudgetWarnings({
    ...sizes,
    servers: loaded.length,
    tools: sumOf(loaded, "tools"),
    instructions,
    skills: skills.map(({ name, bodyTokens }) => ({ name, tokens: bodyTokens })),
    agents: agents.map(({ name, listingTokens }) => ({ name, tokens: listingTokens })),
  });
  return sortFindings(findings);
}

function recommendationsOf(
  loaded: readonly AuditedServer[],
  { agents, instructions }: WeighedFiles,
  { recorded, isWarned }: { readonly recorded: Recorded; readonly isWarned: boolean },
): readonly AuditRecommendation[] {
  const { use, month } = recorded;
  return listRecommendations({
    servers: loaded.filter(({ status }) => status === "measured"),
    recordedSessions: use.sessions,
    isWarned,
    agents: agents.map(({ name, listingTokens }) => ({
      name,
      tokens: listingTokens,
      calls: use.agents.get(name)?.calls ?? 0,
    })),
    longFiles: instructions
      .filter(({ lines }) => lines >= MOST_INSTRUCTION_LINES)
      .map(({ path, excessTokens }) => ({ path, maxLines: MOST_INSTRUCTION_LINES, excessTokens })),
    price: (tokens) => ({ usdPerMonth: priceCarry(tokens, month), isAtLeast: month.unpriced > 0 }),
  });
}

function sumOf<K extends string>(items: readonly Readonly<Record<K, number>>[], field: K): number {
  return items.reduce((sum, item) => sum + item[field], 0);
}
