import type { SkippedInstruction } from "../../../files/instruction-files.ts";
import type { Definition, Definitions, Instructions, LoadedInstruction } from "../../../hosts/baseline.ts";
import { fitIndex } from "../../../library/prompt/memory/memory-index.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { isOverBudget, renderContextBudget } from "../../../policy/advice/render-context-budget.ts";
import {
  estimateByFormula,
  findBudgetWarnings,
  type LimitedBaseline,
  MOST_INSTRUCTION_LINES,
} from "../../../recorded/audit/find-budget-warnings.ts";
import { type BaselinePart, decideLoading, type Loading, listParts } from "../../../recorded/audit/first-request.ts";
import { type AuditRecommendation, listRecommendations } from "../../../recorded/audit/list-recommendations.ts";
import { priceCarry } from "../../../recorded/audit/price-carry.ts";
import { type Finding, sortFindings } from "../../../recorded/lint/finding.ts";
import { type AuditedServer, settleServers } from "./audit-servers.ts";
import type { Recorded } from "./read-recorded.ts";

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
  const budgeted = { baselineTokens, windowTokens, isRecorded: first !== undefined };
  const warnings = warningsOf(loaded, files, budgeted);
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
      ? renderContextBudget(isCounted(loaded) ? { ...budgeted, servers: loaded } : budgeted)
      : undefined,
  };
}

/** What has not been started and counted is not named as a consumer of nothing. */
function isCounted(loaded: readonly AuditedServer[]): boolean {
  return loaded.length === 0 || loaded.some(({ status }) => status === "measured");
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

interface WeighedInstruction {
  readonly path: string;
  readonly scope: string;
  readonly lines: number;
  readonly characters: number;
  readonly tokens: number;
  /** Of what stands behind the last line that a file should have. */
  readonly excessTokens: number;
  readonly importedBy: string | undefined;
}

interface WeighedFiles {
  readonly instructions: readonly WeighedInstruction[];
  /** Rules that load for some paths only, and are not counted. */
  readonly scopedRules: readonly string[];
  readonly memoryTokens: number;
  readonly agents: readonly Definition[];
  readonly skills: readonly Definition[];
  readonly skippedFiles: readonly SkippedInstruction[];
}

/** The files of a project and of a person that the client tells the model of. */
export function weighFiles(
  { files, scoped, memoryIndex, skipped }: Instructions,
  { agents, skills }: Definitions,
  tokenizer: Tokenizer,
): WeighedFiles {
  return {
    instructions: files.map((file) => weighInstruction(file, tokenizer)),
    scopedRules: scoped.map(({ path }) => path),
    memoryTokens: memoryIndex ? estimateTextTokens(fitIndex(memoryIndex.text).text, tokenizer) : 0,
    agents,
    skills,
    skippedFiles: skipped,
  };
}

function weighInstruction(
  { path, scope, text, importedBy }: LoadedInstruction,
  tokenizer: Tokenizer,
): WeighedInstruction {
  const lines = text.trimEnd().split("\n");
  return {
    path,
    scope,
    lines: lines.length,
    characters: text.length,
    tokens: estimateTextTokens(text, tokenizer),
    excessTokens: estimateTextTokens(lines.slice(MOST_INSTRUCTION_LINES - 1).join("\n"), tokenizer),
    importedBy: importedBy?.path,
  };
}
