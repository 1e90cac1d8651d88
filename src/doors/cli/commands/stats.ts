import { renderCount } from "../../../core/render-count.ts";
import { sumMisses } from "../../../measure/cache-miss.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { type Account, keepAccounts, sumAccounts } from "../../../recorded/accounts.ts";
import type { CollectedUsage, ScannedFile } from "../../../recorded/join-scans.ts";
import { markAtLeast, noteAtLeast } from "../at-least.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { collectUsage, findTranscripts, requireRequests } from "../collect-usage.ts";
import type { Command, Terminal } from "../command.ts";
import { collectInjections, renderInjections } from "../injections.ts";
import { renderJson } from "../render-json.ts";
import { judgeFiles, renderJudgement } from "../stats-calibration.ts";
import { collectLimits, renderLimits } from "../stats-limits.ts";
import { collectSummaries, renderSummaries } from "../stats-summaries.ts";
import { paint, renderSafely, renderTable, renderTokens, renderUsd } from "../style.ts";

const GROUPS = ["model", "day", "project", "session"] as const;
type Group = (typeof GROUPS)[number];

export const statsCommand: Command = {
  name: "stats",
  summary: "Tokens and dollars of recorded sessions, cache misses by cause, estimator accuracy",
  positional: {
    name: "PATH",
    help: "folders or .jsonl files; without any, all sessions the client keeps. The word summaries first: sizes of compaction summaries",
  },
  options: [
    { name: "by", value: "WHAT", help: "one row per", choices: GROUPS },
    { name: "calibration", help: "how well half of each session predicts the other half's growth, by model" },
    { name: "injections", help: "what Plimsoll put into the window of live sessions, and what carrying it cost" },
    { name: "limits", help: "what your subscription counts by kind of token, from readings of the status line" },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll stats", shows: "everything you have recorded, by model" },
    { command: "plimsoll stats --by day --json", shows: "a row per day for a script" },
    {
      command: "plimsoll stats --calibration",
      shows: "the token estimator's error on your own sessions",
    },
    { command: "plimsoll stats summaries", shows: "how large compaction summaries are: p50, p90, p99, p99.99" },
    { command: "plimsoll stats --limits", shows: "what the limit of five hours counts, and how sure that is" },
    { command: "plimsoll stats --injections", shows: "tokens, requests and dollars of every kind of injection" },
  ],
  async run(invocation, terminal) {
    const [first, ...rest] = invocation.positionals;
    const isJson = invocation.flags.has("json");
    if (first === "summaries") {
      const report = collectSummaries(findTranscripts(rest, terminal), terminal);
      return terminal.print(isJson ? renderJson(report) : renderSummaries(report));
    }
    const files = findTranscripts(invocation.positionals, terminal);
    if (invocation.flags.has("calibration")) {
      const judgement = judgeFiles(files, terminal);
      return terminal.print(isJson ? renderJson(judgement) : renderJudgement(judgement));
    }
    if (invocation.flags.has("injections")) {
      const report = collectInjections(files, terminal);
      return terminal.print(isJson ? renderJson(report) : renderInjections(report));
    }
    if (invocation.flags.has("limits")) {
      const report = collectLimits((await collectUsage(files, terminal)).scanned, terminal);
      return terminal.print(isJson ? renderJson(report) : renderLimits(report));
    }
    const group = GROUPS.find((name) => name === invocation.values.get("by")) ?? "model";
    const collected = await collectUsage(files, terminal);
    requireRequests(collected.scanned);
    const statistics = collectStatistics(collected, group);
    terminal.print(isJson ? renderJson(statistics) : renderStatistics(statistics, terminal));
  },
};

type Statistics = ReturnType<typeof collectStatistics>;

function collectStatistics({ scanned, unreadable }: CollectedUsage, by: Group) {
  const accounts = keepAccounts(listSteps(scanned, by));
  const totals = sumAccounts(accounts.values());
  const misses = scanned.flatMap((file) => {
    const own = new Set(file.ownSteps.map((step) => step.stepId));
    return file.misses.filter((miss) => own.has(miss.stepId));
  });
  const compactions = scanned.flatMap((file) => file.compactions);
  return {
    by,
    pricesAsOf: PRICES_AS_OF,
    files: scanned.length,
    unreadableFiles: unreadable,
    totals: totals && describeAccount("total", totals),
    rows: [...accounts]
      .map(([key, account]) => describeAccount(key, account))
      .sort((left, right) => compareRows(by, left, right)),
    cacheMisses: sumMisses(misses),
    compactions: {
      automatic: compactions.filter(({ trigger }) => trigger === "auto").length,
      manual: compactions.filter(({ trigger }) => trigger === "manual").length,
      other: compactions.filter(({ trigger }) => trigger !== "auto" && trigger !== "manual").length,
    },
    toolCalls: scanned.reduce((sum, file) => sum + file.toolCalls, 0),
    lines: sumLines(scanned),
  };
}

function sumLines(scanned: readonly ScannedFile[]): ScannedFile["lines"] {
  const total = { read: 0, notAboutUsage: 0, malformed: 0 };
  for (const { lines } of scanned) {
    total.read += lines.read;
    total.notAboutUsage += lines.notAboutUsage;
    total.malformed += lines.malformed;
  }
  return total;
}

function* listSteps(
  scanned: readonly ScannedFile[],
  by: Group,
): Generator<readonly [string, ScannedFile["ownSteps"][number]]> {
  for (const { ownSteps, file, sessionId } of scanned) {
    for (const step of ownSteps) {
      if (by === "model") yield [step.model || "unknown", step];
      else if (by === "project") yield [file.project, step];
      else if (by === "session") yield [sessionId || file.path, step];
      else yield [step.atMs === undefined ? "undated" : new Date(step.atMs).toISOString().slice(0, 10), step];
    }
  }
}

function describeAccount(key: string, { requests, usage, spend, unpriced, isAssumed, unfinal }: Account) {
  const cacheWriteTokens = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  const standing = { unpricedRequests: unpriced, priceIsAssumed: isAssumed, unfinalOutputRequests: unfinal };
  return { key, requests, ...usage, cacheWriteTokens, ...spend, ...standing };
}

type Row = ReturnType<typeof describeAccount>;

function compareRows(by: Group, left: Row, right: Row): number {
  if (by === "day") return left.key < right.key ? -1 : 1;
  return right.totalUsd - left.totalUsd || right.requests - left.requests;
}

function renderStatistics(
  { by, rows, totals, cacheMisses, compactions, files, unreadableFiles, toolCalls, lines, pricesAsOf }: Statistics,
  terminal: Terminal,
): string {
  const cells = (row: Row): readonly string[] => [
    renderSafely(row.key),
    String(row.requests),
    renderTokens(row.inputTokens),
    renderTokens(row.cacheWriteTokens),
    renderTokens(row.cacheReadTokens),
    markAtLeast(row.unfinalOutputRequests, renderTokens(row.outputTokens)),
    row.unpricedRequests === row.requests
      ? "no price"
      : `${markAtLeast(row.unfinalOutputRequests + row.unpricedRequests, renderUsd(row.totalUsd))}${row.priceIsAssumed ? " (assumed)" : ""}`,
  ];
  const header = [by, "requests", "input", "cache write", "cache read", "output", "cost"];
  const missRows = cacheMisses
    .filter(({ count }) => count > 0)
    .map(({ cause, count, tokens, usd }) => [`  ${cause}`, String(count), renderTokens(tokens), renderUsd(usd)]);
  return [
    renderTable([header, ...rows.map(cells), cells(totals)]),
    "",
    `${renderCount(files, "file")}, ${renderCount(toolCalls, "tool call")}, compactions: ${compactions.automatic} automatic, ${compactions.manual} manual, ${compactions.other} other`,
    ...(missRows.length > 0
      ? [paint(terminal, "bold", "Prompt-cache misses: what had to be written again"), renderTable(missRows)]
      : []),
    ...noteAtLeast(totals.unfinalOutputRequests, totals.unpricedRequests),
    ...(lines.malformed > 0 ? [`${renderCount(lines.malformed, "malformed line")} skipped`] : []),
    ...unreadableFiles.map(({ path, why }) => `not read: ${renderSafely(path)} (${renderSafely(why)})`),
    `Prices as of ${pricesAsOf}; what a subscription bills is another matter.`,
  ].join("\n");
}
