import { renderCount } from "../../core/render-count.ts";
import { readSession } from "../../hosts/catalogue.ts";
import type { CacheMissCause } from "../../measure/cache-miss.ts";
import { listRequests, type RequestTelemetry } from "../../measure/telemetry.ts";
import { footnoteAtLeast, markAtLeast } from "./at-least.ts";
import type { Invocation, Option, Terminal } from "./command.ts";
import { parseWhole } from "./parse-whole.ts";
import { renderJson } from "./render-json.ts";
import { requireRecordedSession } from "./require-session.ts";
import { paint, renderLowerUsd, renderPercent, renderSafely, renderTable, renderTokens, renderUsd } from "./style.ts";

const SHOWN = 20;
const WIDE_COLUMNS = 70;

/** How many are shown is for the table alone: without it a script gets all of them. */
export const LAST_OPTION: Option = {
  name: "last",
  value: "N",
  help: `with --requests: the last N (${SHOWN} unless told; as JSON all)`,
};

/** Tokens, growth, cache and dollars of every request of a session's main conversation. */
export function showRequests(file: string, invocation: Invocation, terminal: Terminal): void {
  const last = parseWhole(invocation.values, "last", 1);
  const { events, tally, unfinishedBytes } = readSession(file, terminal.hosts);
  requireRecordedSession(file, tally, unfinishedBytes);
  const all = listRequests(events);
  const totals = sumUp(all);
  const isJson = invocation.flags.has("json");
  const shown = all.slice(-(last ?? (isJson ? Math.max(1, all.length) : SHOWN)));
  terminal.print(
    isJson ? renderJson({ transcript: file, totals, requests: shown }) : renderTelemetry(shown, totals, terminal),
  );
}

type Totals = ReturnType<typeof sumUp>;

function sumUp(requests: readonly RequestTelemetry[]) {
  const sum = (pick: (request: RequestTelemetry) => number): number =>
    requests.reduce((total, request) => total + pick(request), 0);
  const contextTokens = sum((request) => request.contextTokens);
  const firstLayerRequests = requests.filter(({ isAfterCompaction }) => !isAfterCompaction).length;
  return {
    requests: requests.length,
    // Folding at birth was enough for them: no collapse and no summary stands before them.
    firstLayerRequests,
    firstLayerShare: requests.length === 0 ? 1 : firstLayerRequests / requests.length,
    turns: requests.at(-1)?.turn ?? 0,
    toolCalls: sum((request) => request.toolCalls),
    inputTokens: sum((request) => request.inputTokens),
    cacheReadTokens: sum((request) => request.cacheReadTokens),
    cacheWriteTokens: sum((request) => request.cacheWrite5mTokens + request.cacheWrite1hTokens),
    outputTokens: sum((request) => request.outputTokens),
    cacheShare: contextTokens === 0 ? 0 : sum((request) => request.cacheReadTokens) / contextTokens,
    missedTokens: sum((request) => request.missedTokens),
    usd: sum((request) => request.usd ?? 0),
    isAtLeast: requests.some(({ usd, isAtLeast }) => usd === undefined || isAtLeast),
    unfinalOutputRequests: requests.filter(({ isOutputFinal }) => !isOutputFinal).length,
    unpricedRequests: requests.filter(({ usd }) => usd === undefined).length,
  };
}

function renderTelemetry(shown: readonly RequestTelemetry[], totals: Totals, terminal: Terminal): string {
  if (totals.requests === 0) return "No request is recorded in this session yet.";
  const isWide = terminal.columns >= WIDE_COLUMNS;
  const answered = `${totals.unfinalOutputRequests > 0 ? "at least " : ""}${renderTokens(totals.outputTokens)}`;
  const header = ["request", "turn", "context", "growth", ...(isWide ? ["cached", "output", "cost"] : []), ""];
  return [
    renderTable([header, ...shown.map((request) => describeRow(request, isWide))]),
    "",
    `${paint(terminal, "bold", renderCount(totals.requests, "request"))} in ${renderCount(totals.turns, "turn")}, ${renderCount(totals.toolCalls, "tool call")}, in the main conversation alone`,
    `${totals.firstLayerRequests} of them (${renderShare(totals.firstLayerShare)}) stopped at the first layer: no compaction came before them`,
    `${renderTokens(totals.cacheReadTokens)} read from the cache (${renderPercent(totals.cacheShare)} of what was sent)`,
    `${renderTokens(totals.cacheWriteTokens)} written to it, ${renderTokens(totals.missedTokens)} of that again`,
    `${renderTokens(totals.inputTokens)} uncached, ${answered} answered, ${renderLowerUsd(totals.usd, totals.isAtLeast)}`,
    ...(totals.missedTokens > 0 ? ["miss: cached text that was written again, and why"] : []),
    ...footnoteAtLeast(totals.unfinalOutputRequests, totals.unpricedRequests),
  ].join("\n");
}

/** Never rounded up: 999 of 1,000 are not all. */
function renderShare(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

/** Short enough for a row; docs/economics.md says more. */
const MISS_WORDS: Readonly<Record<CacheMissCause, string>> = {
  idle: "pause",
  modelSwitch: "model",
  compaction: "compaction",
  editedPrefix: "edit",
  unknown: "unknown",
};

function describeRow(request: RequestTelemetry, isWide: boolean): readonly string[] {
  const { growthTokens, missCause, missedTokens, isAfterCompaction, isOutputFinal, usd } = request;
  const atLeast = (figure: string): string => markAtLeast(!isOutputFinal, figure);
  const remarks = [
    ...(isAfterCompaction ? ["compacted"] : []),
    ...(missCause && missCause !== "compaction"
      ? [`miss ${renderTokens(missedTokens)}: ${MISS_WORDS[missCause]}`]
      : []),
  ];
  return [
    String(request.request),
    String(request.turn),
    renderTokens(request.contextTokens),
    growthTokens === undefined ? "-" : `${growthTokens >= 0 ? "+" : ""}${renderTokens(growthTokens)}`,
    ...(isWide
      ? [
          renderPercent(request.cacheShare),
          atLeast(renderTokens(request.outputTokens)),
          usd === undefined ? "no price" : atLeast(renderUsd(usd)),
        ]
      : []),
    renderSafely(remarks.join("; ")),
  ];
}
