import { statSync } from "node:fs";
import { renderCount } from "../../../core/render-count.ts";
import { nameSession, readLastWindow, readSession } from "../../../hosts/catalogue.ts";
import type { RecordedSession } from "../../../hosts/follow-transcript.ts";
import type { Attribution } from "../../../measure/attribution.ts";
import type { CacheMissCause } from "../../../measure/cache-miss.ts";
import { listRequests, type RequestTelemetry } from "../../../measure/telemetry.ts";
import { assessSession, attributeSession } from "../../../recorded/assess-session.ts";
import { listSubagents, type SubagentWindow } from "../../../recorded/list-subagents.ts";
import { labelCause } from "../../person/labels.ts";
import { CliError, type Command, defineCommand, type Invocation, parseWhole, type Terminal } from "../command.ts";
import {
  footnoteAtLeast,
  joinLines,
  markAtLeast,
  paint,
  renderLowerUsd,
  renderPercent,
  renderSafely,
  renderTable,
  renderTokens,
  renderUsd,
} from "../print/style.ts";
import { renderLoadLine, renderParts } from "../render-parts.ts";
import { chooseTranscript, renderSkipped, requireRecorded, SESSION_OPTIONS } from "../require-session.ts";

const SHOWN = 20;
/** Of a larger file only the last window is held, since all of it takes four times its bytes. */
const MOST_WHOLE_BYTES = 64e6;

export const inspectCommand: Command = defineCommand({
  name: "inspect",
  summary: "Shows what fills a session's window, each compaction, and each cache miss",
  positional: { name: "FILE", help: "a session's .jsonl file, as with --transcript" },
  options: {
    ...SESSION_OPTIONS,
    requests: { help: "list each request of the main conversation instead, with tokens, growth, cache and cost" },
    // The limit applies to the table; without the option a script gets all of them.
    last: { value: "N", help: `with --requests: show the last N requests (${SHOWN} by default, all with --json)` },
    steps: { help: "with --json: include the parts of every request, not only of the last request" },
  },
  examples: {
    "plimsoll inspect": "shows what fills the current window, largest part first",
    "plimsoll inspect --requests": "lists the newest requests, and shows the session's total cost",
    "plimsoll inspect session.jsonl --json --steps": "prints what each request contains, so that you can plot it",
  },
  run(invocation, terminal) {
    const file = chooseTranscript(nameFile(invocation), terminal);
    if (invocation.flags.has("requests")) return showRequests(file, invocation, terminal);
    if (invocation.values.has("last"))
      throw new CliError("--last works only with --requests: plimsoll inspect --requests --last N");
    const isLarge = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_WHOLE_BYTES;
    const isPart = isLarge && !invocation.flags.has("steps");
    const session = requireRecorded(file, terminal.hosts, isPart ? readLastWindow : readSession);
    const attribution = attributeSession(session);
    const subagents = listSubagents(file, session.transcript.sessionId, terminal.hosts);
    const steps = isPart ? session.transcript.meter.steps : session.recording.steps.length;
    const last = attribution.at(-1);
    const current = last && { ...last, step: last.step + steps - session.recording.steps.length };
    const described = { ...describeInspection(file, session, steps, current), subagents };
    return {
      json: { ...described, ...(invocation.flags.has("steps") && { attribution }) },
      text: () => renderInspection(session, described, terminal),
    };
  },
});

/** Accepts a file without its option. */
function nameFile(invocation: Invocation): Invocation {
  const [file, ...others] = invocation.positionals;
  if (file === undefined) return invocation;
  if (others.length > 0 || invocation.values.has("transcript"))
    throw new CliError("plimsoll inspect shows one session: pass one file");
  return { ...invocation, values: new Map([...invocation.values, ["transcript", file]]) };
}

function describeInspection(file: string, session: RecordedSession, steps: number, current: Attribution | undefined) {
  const { tally, unfinishedBytes, recording, transcript } = session;
  return {
    transcript: file,
    lines: { ...tally, unfinishedBytes },
    steps,
    windows: recording.windows.length,
    current,
    compactions: recording.windows.flatMap(({ compaction }) => (compaction ? [compaction] : [])),
    cacheMisses: transcript.meter.misses,
    callsByTool: transcript.meter.callsByTool,
  };
}

function renderInspection(
  session: RecordedSession,
  described: ReturnType<typeof describeInspection> & { readonly subagents: readonly SubagentWindow[] },
  terminal: Terminal,
): string {
  const { current, compactions, cacheMisses, subagents } = described;
  const { tally, accounts, transcript } = session;
  const heading = (text: string): string => `\n${paint(terminal, "bold", text)}`;
  return joinLines(
    paint(terminal, "bold", renderSafely(accounts.title || transcript.sessionId)),
    renderLoadLine(assessSession(session, terminal), terminal),
    current && [
      heading(`What filled the last request (${renderTokens(current.contextTokens)} tokens)`),
      renderParts(current, { damagedLines: tally.malformed, columns: terminal.columns }),
    ],
    compactions.length > 0 && heading("Compactions"),
    compactions.map(({ trigger, preTokens, durationMs }) => {
      const at = preTokens === undefined ? "size not recorded" : `at ${renderTokens(preTokens)}`;
      return `  ${trigger === "unknown" ? "cause not recorded" : renderSafely(trigger)}, ${at}${durationMs === undefined ? "" : `, took ${Math.round(durationMs / 1000)} s`}`;
    }),
    cacheMisses.length > 0 && heading("Prompt-cache misses"),
    cacheMisses.map(
      ({ cause, missedTokens, extraUsd }) =>
        `  ${labelCause(cause)}: ${renderTokens(missedTokens)} tokens written again${extraUsd === undefined ? "" : `, ${renderUsd(extraUsd)}`}`,
    ),
    subagents.length > 0 && [
      heading("Subagents, which have windows of their own"),
      renderSubagents(subagents, terminal),
    ],
    heading("Lines"),
    `  ${tally.lines}: ${tally.parsed} parsed, ${tally.ignored} ignored on purpose, ${tally.malformed} malformed`,
    renderSkipped(tally, session.unfinishedBytes).map((line) => `  ${line}`),
  );
}

const MOST_SUBAGENTS = 12;

function renderSubagents(subagents: readonly SubagentWindow[], { columns }: Terminal): string {
  const rows = subagents
    .slice(0, MOST_SUBAGENTS)
    .map((one) => [
      `  ${renderSafely(one.title || nameSession(one.transcript))}`,
      String(one.requests),
      renderTokens(one.peakTokens),
      renderTokens(one.contextTokens),
      String(one.compactions),
      renderLowerUsd(one.costUsd, one.isAtLeast),
    ]);
  const more = subagents.length - rows.length;
  const head = ["  task", "requests", "peak context", "last request", "compactions", "cost"];
  return joinLines(renderTable([head, ...rows], columns), more > 0 && `  ${more} more, all with smaller windows`);
}

const WIDE_COLUMNS = 70;

function showRequests(file: string, invocation: Invocation, terminal: Terminal) {
  const last = parseWhole(invocation.values, "last", 1);
  const all = listRequests(requireRecorded(file, terminal.hosts).events);
  const totals = sumUp(all);
  const shown = all.slice(-(last ?? (invocation.flags.has("json") ? Math.max(1, all.length) : SHOWN)));
  return {
    json: { transcript: file, totals, requests: shown },
    text: () => renderTelemetry(shown, totals, terminal),
  };
}

type Totals = ReturnType<typeof sumUp>;

function sumUp(requests: readonly RequestTelemetry[]) {
  const sum = (pick: (request: RequestTelemetry) => number): number =>
    requests.reduce((total, request) => total + pick(request), 0);
  const contextTokens = sum((request) => request.contextTokens);
  const firstLayerRequests = requests.filter(({ isAfterCompaction }) => !isAfterCompaction).length;
  return {
    requests: requests.length,
    // Requests before any collapse or summary: folding tool output was enough for them.
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
  return joinLines(
    renderTable([header, ...shown.map((request) => describeRow(request, isWide))]),
    "",
    `${paint(terminal, "bold", renderCount(totals.requests, "request"))} in ${renderCount(totals.turns, "turn")}, ${renderCount(totals.toolCalls, "tool call")}, in the main conversation only`,
    // Rounded down, so that 999 of 1,000 is not shown as all.
    `${totals.firstLayerRequests} of them (${(Math.floor(totals.firstLayerShare * 1000) / 10).toFixed(1)} %) needed no compaction before they were sent`,
    `${renderTokens(totals.cacheReadTokens)} read from the cache (${renderPercent(totals.cacheShare)} of all tokens sent)`,
    `${renderTokens(totals.cacheWriteTokens)} written to the cache, ${renderTokens(totals.missedTokens)} sent again because of misses`,
    `${renderTokens(totals.inputTokens)} uncached input, ${answered} output, ${renderLowerUsd(totals.usd, totals.isAtLeast)}`,
    totals.missedTokens > 0 && "miss: tokens that were cached and had to be sent again, and the cause",
    footnoteAtLeast(totals.unfinalOutputRequests, totals.unpricedRequests),
  );
}

/** Short enough for a table row; docs/research/economics.md says more. */
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
  const isMissed = missCause && missCause !== "compaction";
  const miss = isMissed ? `miss ${renderTokens(missedTokens)}: ${MISS_WORDS[missCause]}` : "";
  const remarks = [isAfterCompaction ? "compacted" : "", miss].filter((remark) => remark !== "");
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
