import type { Definitions, Instructions, ToolEvidence } from "../../../hosts/baseline.ts";
import { fitIndex } from "../../../library/prompt/memory/memory-index.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { isOverBudget, renderContextBudget } from "../../../policy/advice/render-context-budget.ts";
import type { DeferredTool } from "../../../policy/choose-deferred.ts";
import { findBudgetWarnings, MOST_INSTRUCTION_LINES } from "../../../recorded/audit/find-budget-warnings.ts";
import { findUnused, LEAST_SESSIONS, type Unused } from "../../../recorded/audit/find-unused.ts";
import {
  type AuditRecommendation,
  listRecommendations,
  rankServers,
} from "../../../recorded/audit/list-recommendations.ts";
import { type MonthlyPrice, priceCarry } from "../../../recorded/audit/price-carry.ts";
import {
  type AuditedServer,
  type BaselinePart,
  decideLoading,
  estimateByFormula,
  type Loading,
  listParts,
  type StartupContext,
  sumOf,
  type WeighedFiles,
} from "../../../recorded/audit/startup-context.ts";
import { type Base, weighBase } from "../../../recorded/audit/weigh-base.ts";
import { toName } from "../../../recorded/audit/weigh-tools.ts";
import { type Finding, sortFindings } from "../../../recorded/lint/finding.ts";
import type { Recorded } from "./read-recorded.ts";

/** The startup context of a project: what every request pays before the first prompt. */
export interface Audit
  extends WeighedFiles,
    MonthlyPrice,
    Pick<Recorded, "model" | "tokenizer" | "repeated" | "injections"> {
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
  readonly warnings: readonly Finding[];
  readonly recommendations: readonly AuditRecommendation[];
  readonly unused: readonly Unused[];
  readonly base: Base;
  /** For the health report; `undefined` if the baseline is within its budget. */
  readonly contextBudget: string | undefined;
}

interface Weighed {
  readonly servers: readonly AuditedServer[];
  readonly files: WeighedFiles;
  /** Instruction files that name nothing the sessions used, with the number of those sessions. */
  readonly idle: ReadonlyMap<string, number>;
  readonly evidence: ToolEvidence;
  readonly deferred: readonly DeferredTool[];
}

export function judgeBaseline(project: string, recorded: Recorded, given: Weighed): Audit {
  const { servers: weighed, files, idle } = given;
  const { month, use } = recorded;
  const [first] = recorded.firsts;
  const { windowTokens, standing } = recorded.window;
  const loading = decideLoading(first, sumOf(weighed, "loadedTokens"));
  const servers = settleServers(weighed, loading);
  // Without a record there is no sign that the client sent servers the person has not approved.
  const loaded = servers.filter(({ isDisabled, isApproved }) => !isDisabled && (isApproved || first !== undefined));
  const price = (tokens: number): MonthlyPrice => priceCarry(tokens, month);
  const context: StartupContext = { servers: loaded, files, first, loading, windowTokens, price };
  const base = weighBase(given.evidence, given.deferred, { tokenizer: recorded.tokenizer, price });
  const parts = listParts(context, base);
  const partsTokens = sumOf(parts, "tokens");
  const formulaTokens = estimateByFormula(context);
  const baselineTokens = first?.baseTokens ?? Math.max(formulaTokens, partsTokens);
  const warnings = sortFindings(findBudgetWarnings(context, baselineTokens));
  const unused = collectUnused(context, recorded, idle);
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
    tools: sumOf(loaded, "tools"),
    allLoadedTokens: sumOf(loaded, "loadedTokens"),
    allDeferredTokens: sumOf(loaded, "deferredTokens"),
    servers,
    sessions: use.sessions,
    requestsPerMonth: month.requests.length,
    requestDays: month.days,
    ...price(baselineTokens),
    warnings,
    recommendations: listRecommendations(context, { recordedSessions: use.sessions, isWarned }),
    unused,
    base,
    repeated: recorded.repeated,
    injections: recorded.injections,
    contextBudget: renderBudget(context, baselineTokens),
  };
}

/** Adds what each server costs with the client's loading. Servers with the most tools and the least use come first. */
function settleServers(servers: readonly AuditedServer[], loading: Loading): readonly AuditedServer[] {
  return rankServers(
    servers.map((server) => ({
      ...server,
      tokens: (loading === "deferred" ? server.deferredTokens : server.loadedTokens) + server.instructionTokens,
    })),
  );
}

/** Servers that were not started and counted are left out: their size is unknown, not zero. */
function renderBudget({ servers, first, windowTokens }: StartupContext, baselineTokens: number): string | undefined {
  if (!isOverBudget(baselineTokens, windowTokens)) return undefined;
  const isCounted = servers.length === 0 || servers.some(({ status }) => status === "measured");
  const budget = { baselineTokens, windowTokens, isRecorded: first !== undefined };
  return renderContextBudget(isCounted ? { ...budget, servers } : budget);
}

/** Names in a listing come from the records. Schemas that are sent whole, and files, are weighed as they are now. */
function collectUnused(
  { servers, files: { instructions, agents }, loading, price }: StartupContext,
  { use, tokenizer }: Recorded,
  idle: Weighed["idle"],
): readonly Unused[] {
  const own = new Set(agents.map(({ name }) => name));
  // The client's own agents stay, because it falls back on them.
  const listed = findUnused(use, { tokenizer, price }).filter(
    ({ kind, name }) => kind !== "agent" || name.includes(":") || own.has(name),
  );
  const byName = [...use.listed.values()].map(({ name }) => name);
  const neverCalled = (loading === "loaded" ? servers : [])
    .map(({ name, tokens, calls }) => ({ name: `mcp__${toName(name)}`, tokens, calls, sessions: use.sessions }))
    .filter(({ calls, sessions }) => calls === 0 && sessions >= LEAST_SESSIONS)
    .filter(({ name }) => !byName.some((tool) => tool.startsWith(`${name}__`)))
    .map(({ calls: _, ...server }) => ({ kind: "server", ...server }) as const);
  const files = instructions.flatMap(({ path, tokens }) => {
    const sessions = idle.get(path);
    return sessions === undefined ? [] : [{ kind: "instructions", name: path, tokens, sessions } as const];
  });
  const weighed = [...neverCalled, ...files].map((one) => ({ ...one, ...price(one.tokens) }));
  return [...listed, ...weighed].sort((left, right) => right.tokens - left.tokens);
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
