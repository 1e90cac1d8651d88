import type { SkippedInstruction } from "../../../files/instruction-files.ts";
import type { Definition, Definitions, Instructions } from "../../../hosts/baseline.ts";
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
import { findUnused, LEAST_SESSIONS, type Unused } from "../../../recorded/audit/find-unused.ts";
import {
  type BaselinePart,
  decideLoading,
  type Loading,
  listParts,
  type PartsInput,
} from "../../../recorded/audit/first-request.ts";
import {
  type AuditRecommendation,
  listRecommendations,
  type MonthlyPrice,
  type RecommendationInput,
} from "../../../recorded/audit/list-recommendations.ts";
import { priceCarry } from "../../../recorded/audit/price-carry.ts";
import { toName } from "../../../recorded/audit/weigh-tools.ts";
import { type Finding, sortFindings } from "../../../recorded/lint/finding.ts";
import { type AuditedServer, settleServers } from "./audit-servers.ts";
import type { Recorded } from "./read-recorded.ts";

/** The startup context of a project: what every request pays before the first prompt. */
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
  /** The client's own prompt and tools, plus anything that is not recorded; `undefined` without a record. */
  readonly unexplainedTokens: number | undefined;
  readonly loading: Loading;
  readonly tools: number;
  readonly allLoadedTokens: number;
  readonly allDeferredTokens: number;
  readonly servers: readonly AuditedServer[];
  readonly sessions: number;
  readonly requestsPerMonth: number;
  /** The days over which these requests were made, if fewer than thirty. */
  readonly requestDays: number;
  readonly usdPerMonth: number | undefined;
  /** Some requests have no price, so the dollars per month are a lower bound. */
  readonly isAtLeast: boolean;
  readonly warnings: readonly Finding[];
  readonly recommendations: readonly AuditRecommendation[];
  readonly unused: readonly Unused[];
  /** For the health report; `undefined` if the baseline is within its budget. */
  readonly contextBudget: string | undefined;
}

export interface AuditInput {
  readonly project: string;
  readonly recorded: Recorded;
  readonly servers: readonly AuditedServer[];
  readonly files: WeighedFiles;
  /** Instruction files that name nothing the sessions used, with the number of those sessions. */
  readonly idle: ReadonlyMap<string, number>;
}

export function judgeBaseline({ project, recorded, servers: weighed, files, idle }: AuditInput): Audit {
  const [first] = recorded.firsts;
  const { windowTokens, standing } = recorded.window;
  const loading = decideLoading(first, sumOf(weighed, "loadedTokens"));
  const servers = settleServers(weighed, loading);
  // Without a record there is no sign that the client sent servers the person has not approved.
  const loaded = servers.filter(({ isDisabled, isApproved }) => !isDisabled && (isApproved || first !== undefined));
  const tools = sumOf(loaded, "tools");
  const parts = partsOf(loaded, files, { loading, listings: first?.listings ?? {} });
  const partsTokens = sumOf(parts, "tokens");
  const formulaTokens = formulaOf(tools, files);
  const baselineTokens = first?.baseTokens ?? Math.max(formulaTokens, partsTokens);
  const budgeted = { baselineTokens, windowTokens, isRecorded: first !== undefined };
  const warnings = warningsOf(loaded, files, budgeted);
  const price = (tokens: number): MonthlyPrice => priceMonth(tokens, recorded.month);
  const unused = unusedOf(loading === "loaded" ? loaded : [], files, { recorded, idle, price });
  const isWarned = warnings.length > 0 && unused.length === 0;
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
    requestDays: recorded.month.days,
    ...price(baselineTokens),
    warnings,
    recommendations: recommendationsOf(loaded, files, { recordedSessions: recorded.use.sessions, isWarned, price }),
    unused,
    repeated: recorded.repeated,
    injections: recorded.injections,
    contextBudget: renderBudget(budgeted, loaded),
  };
}

/** Servers that were not started and counted are left out: their size is unknown, not zero. */
function renderBudget(budgeted: Sizes, loaded: readonly AuditedServer[]): string | undefined {
  if (!isOverBudget(budgeted.baselineTokens, budgeted.windowTokens)) return undefined;
  const isCounted = loaded.length === 0 || loaded.some(({ status }) => status === "measured");
  return renderContextBudget(isCounted ? { ...budgeted, servers: loaded } : budgeted);
}

type Sizes = Pick<LimitedBaseline, "baselineTokens" | "windowTokens" | "isRecorded">;

function formulaOf(tools: number, { agents, instructions }: WeighedFiles): number {
  return estimateByFormula({ tools, agents: agents.length, instructionTokens: sumOf(instructions, "tokens") });
}

function priceMonth(tokens: number, month: Recorded["month"]): MonthlyPrice {
  return { usdPerMonth: priceCarry(tokens, month), isAtLeast: month.unpriced > 0 };
}

function partsOf(
  loaded: readonly AuditedServer[],
  files: WeighedFiles,
  seen: Pick<PartsInput, "loading" | "listings">,
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
  sizes: Sizes,
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
  given: Pick<RecommendationInput, "recordedSessions" | "isWarned" | "price">,
): readonly AuditRecommendation[] {
  return listRecommendations({
    ...given,
    servers: loaded.filter(({ status }) => status === "measured"),
    hasAgents: agents.length > 0,
    longFiles: instructions
      .filter(({ lines }) => lines >= MOST_INSTRUCTION_LINES)
      .map(({ path, excessTokens }) => ({ path, maxLines: MOST_INSTRUCTION_LINES, excessTokens })),
  });
}

/** Names in a listing come from the records. Schemas that are sent whole, and files, are weighed as they are now. */
function unusedOf(
  loaded: readonly AuditedServer[],
  { instructions, agents }: WeighedFiles,
  { recorded, idle, price }: Pick<AuditInput, "recorded" | "idle"> & { price(tokens: number): MonthlyPrice },
): readonly Unused[] {
  const { use, tokenizer } = recorded;
  const own = new Set(agents.map(({ name }) => name));
  // The client's own agents stay, because it falls back on them.
  const listed = findUnused(use, { tokenizer, price }).filter(
    ({ kind, name }) => kind !== "agent" || name.includes(":") || own.has(name),
  );
  const byName = [...use.listed.values()].map(({ name }) => name);
  const servers = loaded
    .map(({ name, tokens, calls }) => ({ name: `mcp__${toName(name)}`, tokens, calls, sessions: use.sessions }))
    .filter(({ calls, sessions }) => calls === 0 && sessions >= LEAST_SESSIONS)
    .filter(({ name }) => !byName.some((tool) => tool.startsWith(`${name}__`)))
    .map(({ calls: _, ...server }) => ({ kind: "server", ...server }) as const);
  const files = instructions.flatMap(({ path, tokens }) => {
    const sessions = idle.get(path);
    return sessions === undefined ? [] : [{ kind: "instructions", name: path, tokens, sessions } as const];
  });
  const weighed = [...servers, ...files].map((one) => ({ ...one, ...price(one.tokens) }));
  return [...listed, ...weighed].sort((left, right) => right.tokens - left.tokens);
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
  /** Tokens of the lines beyond the recommended length of a file. */
  readonly excessTokens: number;
  readonly importedBy: string | undefined;
}

interface WeighedFiles {
  readonly instructions: readonly WeighedInstruction[];
  /** Rules that load for some paths only; they are not counted. */
  readonly scopedRules: readonly string[];
  readonly memoryTokens: number;
  readonly agents: readonly Definition[];
  readonly skills: readonly Definition[];
  readonly skippedFiles: readonly SkippedInstruction[];
}

export function weighFiles(
  { files, scoped, memoryIndex, skipped }: Instructions,
  { agents, skills }: Definitions,
  tokenizer: Tokenizer,
): WeighedFiles {
  return {
    instructions: files.map(({ path, scope, text, importedBy }) => {
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
    }),
    scopedRules: scoped.map(({ path }) => path),
    memoryTokens: memoryIndex ? estimateTextTokens(fitIndex(memoryIndex.text).text, tokenizer) : 0,
    agents,
    skills,
    skippedFiles: skipped,
  };
}
