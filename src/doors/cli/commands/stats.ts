import { existsSync } from "node:fs";
import { renderCount } from "../../../core/render-count.ts";
import { renderCsv } from "../../../core/render-csv.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { locateHome } from "../../../hosts/catalogue.ts";
import { sumMisses } from "../../../measure/cache-miss.ts";
import { fitWeights, listLimitMoves } from "../../../measure/fit-weights.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { locateData, locateWeights } from "../../../policy/deeds/data-paths.ts";
import { keepAccounts, spendByClient, sumAccounts } from "../../../recorded/accounts.ts";
import type { CollectedUsage, ScannedFile } from "../../../recorded/join-scans.ts";
import { readLimitReadings } from "../../../recorded/look-back/read-told-limits.ts";
import { labelCause } from "../../person/labels.ts";
import { collectUsage, findTranscripts, requireRequests } from "../collect-usage.ts";
import { CliError, type Command, defineCommand, EXIT_NOTHING_FOUND, type Terminal } from "../command.ts";
import { shortenId } from "../find-session.ts";
import { collectInjections, renderInjections } from "../injections.ts";
import { chooseCalendar, PERIOD_OPTIONS, parsePeriod, selectPeriod } from "../parse-period.ts";
import {
  footnoteAtLeast,
  markAtLeast,
  paint,
  renderLowerUsd,
  renderSafely,
  renderTable,
  renderTokens,
  renderUsd,
} from "../print/style.ts";
import {
  compareRows,
  describeAccount,
  describeKeys,
  GROUPS,
  isTime,
  listSteps,
  NO_DETAILS,
  ORDERS,
  type Order,
  type StatsGrouping,
  type StatsRow,
  sumBeside,
} from "../stats/stats-rows.ts";
import { collectSummaries, judgeFiles, renderJudgement, renderStatsSummaries } from "../stats/stats-summaries.ts";

export const statsCommand: Command = defineCommand({
  name: "stats",
  summary: "Shows the tokens and the cost of recorded sessions, and the causes of cache misses",
  positional: {
    name: "PATH",
    help: "folders or .jsonl files; by default all recorded sessions. Put the word summaries first to see the sizes of compaction summaries",
  },
  options: {
    by: { value: "WHAT", help: "how to group the rows", choices: GROUPS },
    sort: {
      value: "BY",
      help: "how to sort the rows; by default, days, weeks and months are sorted by date, and other rows by cost, highest first",
      choices: ORDERS,
    },
    ...PERIOD_OPTIONS,
    calibration: { help: "show the token estimator's error for each model, on your sessions" },
    injections: { help: "show what Plimsoll added to the context of the recorded sessions, and what that cost" },
    limits: { help: "estimate from status line readings how your subscription counts each kind of token" },
    csv: { help: "print the rows as comma-separated values, with the fields of --json" },
  },
  examples: {
    "plimsoll stats": "shows all your recorded sessions, by model",
    "plimsoll stats --by session --sort pauses":
      "sorts your sessions by the cost of pauses in which the prompt cache expired",
    "plimsoll stats --by day --json": "prints a row per day as JSON",
    "plimsoll stats --by project --csv": "prints a row per project, for a spreadsheet",
    "plimsoll stats --calibration": "shows the token estimator's error on your own sessions",
    "plimsoll stats summaries": "shows the sizes of compaction summaries at p50, p90, p99 and p99.99",
    "plimsoll stats --limits": "shows how the five-hour limit counts tokens, and how certain that is",
    "plimsoll stats --injections": "shows the tokens and the cost of each kind of text that Plimsoll added",
  },
  async run(invocation, terminal) {
    const [first, ...rest] = invocation.positionals;
    if (first === "summaries") {
      const report = collectSummaries(findTranscripts(rest, terminal), terminal);
      return { json: report, text: () => renderStatsSummaries(report) };
    }
    const files = findTranscripts(invocation.positionals, terminal);
    if (invocation.flags.has("calibration")) {
      const judgement = judgeFiles(files, terminal);
      return { json: judgement, text: () => renderJudgement(judgement, terminal.columns) };
    }
    if (invocation.flags.has("injections")) {
      const report = collectInjections(files, terminal);
      return { json: report, text: () => renderInjections(report) };
    }
    if (invocation.flags.has("limits")) {
      const report = collectLimits((await collectUsage(files, terminal)).scanned, terminal);
      return { json: report, text: () => renderStatsLimits(report) };
    }
    const group = GROUPS.find((name) => name === invocation.values.get("by")) ?? "model";
    const order = ORDERS.find((name) => name === invocation.values.get("sort"));
    const calendar = chooseCalendar(invocation, terminal);
    const period = parsePeriod(invocation, terminal.nowMs(), calendar);
    const collected = await collectUsage(files, terminal);
    requireRequests(collected.scanned);
    const scanned = selectPeriod(collected.scanned, period);
    if (scanned.length === 0) throw new CliError("no request is recorded in this period", EXIT_NOTHING_FOUND);
    const statistics = collectStatistics({ ...collected, scanned }, { by: group, calendar }, order);
    if (!invocation.flags.has("csv")) return { json: statistics, text: () => renderStatistics(statistics, terminal) };
    terminal.write(Buffer.from(toCsv(statistics.rows)));
    return undefined;
  },
});

/** One column per field, in the order of --json. */
function toCsv(rows: readonly StatsRow[]): string {
  const [first] = rows;
  const fields = first ? Object.keys(first) : [];
  const cells = rows.map((row) => new Map(Object.entries(row)));
  return renderCsv([fields, ...cells.map((row) => fields.map((field) => row.get(field) ?? null))]);
}

/** A narrower table leaves out columns that hardly cost anything. */
const WIDE_COLUMNS = 72;

type Statistics = ReturnType<typeof collectStatistics>;

function collectStatistics({ scanned, unreadable }: CollectedUsage, group: StatsGrouping, order?: Order) {
  const { by, calendar } = group;
  const accounts = keepAccounts(listSteps(scanned, group));
  const beside = describeKeys(scanned, group);
  const totals = sumAccounts([...accounts.values()]);
  const misses = scanned.flatMap((file) => {
    const own = new Set(file.ownSteps.map((step) => step.stepId));
    return file.misses.filter((miss) => own.has(miss.stepId));
  });
  const compactions = scanned.flatMap((file) => file.compactions);
  return {
    by,
    timezone: calendar.zone,
    pricesAsOf: PRICES_AS_OF,
    /** Requests whose cost the client recorded itself, compared with list prices. */
    recordedByClient: totals.byClient,
    files: scanned.length,
    unreadableFiles: unreadable,
    totals: { ...describeAccount("total", totals), ...sumBeside(beside) },
    rows: [...accounts]
      .map(([key, account]) => ({ ...describeAccount(key, account), ...(beside.get(key) ?? NO_DETAILS) }))
      .sort((left, right) => compareRows(order ?? (isTime(by) ? undefined : "cost"), left, right)),
    cacheMisses: sumMisses(misses),
    compactions: {
      automatic: compactions.filter(({ trigger }) => trigger === "auto").length,
      manual: compactions.filter(({ trigger }) => trigger === "manual").length,
      other: compactions.filter(({ trigger }) => trigger !== "auto" && trigger !== "manual").length,
    },
    clients: spendByClient(scanned.map(({ file, ownSteps }) => ({ file, steps: ownSteps }))),
    toolCalls: scanned.reduce((sum, file) => sum + file.toolCalls, 0),
    lines: sumLines(scanned),
  };
}

function sumLines(scanned: readonly ScannedFile[]): ScannedFile["lines"] {
  const sum = (field: keyof ScannedFile["lines"]): number => scanned.reduce((all, { lines }) => all + lines[field], 0);
  return { read: sum("read"), notAboutUsage: sum("notAboutUsage"), malformed: sum("malformed") };
}

function renderRows({ by, rows, totals }: Statistics, terminal: Terminal): string {
  const isNarrow = terminal.columns < WIDE_COLUMNS;
  const cost = (row: StatsRow): string =>
    row.unpricedRequests === row.requests
      ? "no price"
      : `${markAtLeast(row.isAtLeast, renderUsd(row.totalUsd))}${row.priceIsAssumed ? " (assumed)" : ""}`;
  const pauses = (row: StatsRow): string => markAtLeast(row.unpricedPauses > 0, renderUsd(row.pausesUsd));
  const name = (row: StatsRow): string =>
    renderSafely(by === "session" ? `${shortenId(row.key)} ${row.title}` : row.key).trim();
  const cells = (row: StatsRow): readonly string[] =>
    by === "session"
      ? [name(row), String(row.requests), renderTokens(row.cacheReadTokens), pauses(row), cost(row)]
      : [
          name(row),
          String(row.requests),
          ...(isNarrow ? [] : [renderTokens(row.inputTokens), renderTokens(row.cacheWriteTokens)]),
          renderTokens(row.cacheReadTokens),
          markAtLeast(row.unfinalOutputRequests > 0, renderTokens(row.outputTokens)),
          cost(row),
        ];
  const header =
    by === "session"
      ? [by, "requests", "cache read", "pauses", "cost"]
      : [by, "requests", ...(isNarrow ? [] : ["input", "written"]), "read", "output", "cost"];
  return renderTable([header, ...rows.map(cells), cells(totals)], terminal.columns);
}

function renderStatistics(statistics: Statistics, terminal: Terminal): string {
  const { by, totals, clients, compactions, files, toolCalls, lines } = statistics;
  const missRows = statistics.cacheMisses
    .filter(({ count }) => count > 0)
    .map(({ cause, count, tokens, usd, isAtLeast }) => [
      `  ${labelCause(cause)}`,
      String(count),
      renderTokens(tokens),
      markAtLeast(isAtLeast, renderUsd(usd)),
    ]);
  return [
    renderRows(statistics, terminal),
    "",
    `${renderCount(files, "file")}, ${renderCount(toolCalls, "tool call")}, compactions: ${compactions.automatic} automatic, ${compactions.manual} manual${compactions.other > 0 ? `, ${compactions.other} of unknown cause` : ""}`,
    ...(by === "session"
      ? ["pauses: cost of rebuilding the expired prompt cache. For details, run: plimsoll inspect --session ID"]
      : [`${terminal.columns < WIDE_COLUMNS ? "" : "written: prompt-cache writes; "}read: prompt-cache reads`]),
    ...(missRows.length > 0
      ? [paint(terminal, "bold", "Prompt-cache misses: tokens that had to be written again"), renderTable(missRows)]
      : []),
    ...(by === "host" ? [] : renderClients(clients)),
    ...renderSilent(clients),
    ...renderRecorded(statistics.recordedByClient),
    ...footnoteAtLeast(totals.unfinalOutputRequests, totals.unpricedRequests),
    ...(lines.malformed > 0 ? [`${renderCount(lines.malformed, "malformed line")} skipped`] : []),
    ...statistics.unreadableFiles.map(({ path, why }) => `not read: ${renderSafely(path)} (${renderSafely(why)})`),
    `Prices as of ${statistics.pricesAsOf}; a subscription bills differently.`,
  ].join("\n");
}

function renderClients(clients: Statistics["clients"]): readonly string[] {
  const told = clients.filter(({ recordsUsage }) => recordsUsage);
  if (told.length < 2) return [];
  const each = told.map(({ client, totalUsd, isAtLeast }) => `${client} ${renderLowerUsd(totalUsd, isAtLeast)}`);
  return [`by client: ${each.join(", ")} (--by host)`];
}

/** Costs that a client recorded itself take precedence; the list price of the same requests is shown, too. */
function renderRecorded({ requests, usd, listedUsd, listUsd }: Statistics["recordedByClient"]): readonly string[] {
  if (requests === 0) return [];
  const listed =
    listedUsd > 0 ? `; list prices give ${renderUsd(listUsd)} where the client recorded ${renderUsd(listedUsd)}` : "";
  return [`included: ${renderUsd(usd)} that the client recorded for ${renderCount(requests, "request")}${listed}`];
}

/** Names the clients that are in no sum, because they record no usage. */
function renderSilent(clients: Statistics["clients"]): readonly string[] {
  return clients
    .filter(({ recordsUsage }) => !recordsUsage)
    .map(
      ({ client, sessions }) =>
        `not included: ${renderCount(sessions, "session")} of ${client}, which records no usage`,
    );
}

/** How the five-hour limit weighs kinds of tokens, from the person's own readings. If the result is certain it is saved for the policy. */
function collectLimits(scanned: readonly ScannedFile[], terminal: Terminal) {
  const home = locateHome(terminal.environment);
  const moves = listLimitMoves(
    readLimitReadings(home),
    scanned.flatMap(({ ownSteps }) => ownSteps),
  );
  const fitted = fitWeights(moves.moves);
  if (fitted && existsSync(locateData(home))) writeAtomically(locateWeights(home), `${JSON.stringify(fitted)}\n`);
  return { ...moves, fitted };
}

function renderStatsLimits({ readings, moves, model, fitted }: ReturnType<typeof collectLimits>): string {
  const basis = `${renderCount(moves.length, "change")} of the five-hour limit, from ${renderCount(readings, "reading")}`;
  if (readings === 0)
    return "Your limits are unknown: the client reports them only to a status line, and only on a subscription. To record them, run: plimsoll install --status-line";
  if (!fitted)
    return `Too little is recorded to say how your subscription counts tokens: ${basis}. Until more is recorded, "objective": "tokens" counts every token alike.`;
  const { weights, uncertainty } = fitted;
  return [
    `Weights learned from ${basis}, all with ${renderSafely(model)}. A token that is sent or written has the weight 1:`,
    `  read from the cache  ${weights.read.toFixed(2)} ± ${uncertainty.read.toFixed(2)}`,
    `  output               ${weights.output.toFixed(2)} ± ${uncertainty.output.toFixed(2)}`,
    fitted.isSure
      ? 'These weights are certain enough: from the next session on, "objective": "tokens" uses them.'
      : 'These weights are not certain enough yet. Until they are, "objective": "tokens" counts every token alike.',
    "No vendor publishes these weights. Usage on other machines and on the web is not recorded here, which makes the weights less certain.",
  ].join("\n");
}
