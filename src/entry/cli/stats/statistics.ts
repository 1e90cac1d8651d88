import { renderCount } from "../../../core/render-count.ts";
import { renderCsv } from "../../../core/render-csv.ts";
import { hostOfListed } from "../../../hosts/catalogue.ts";
import { sumMisses } from "../../../measure/cache-miss.ts";
import { isLowerBound } from "../../../models/economics/bill.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { keepAccounts, type RecordedAccount, spendByClient, sumAccounts } from "../../../recorded/accounts.ts";
import type { Calendar } from "../../../recorded/calendar.ts";
import { type CollectedUsage, type ScannedFile, selectPeriod } from "../../../recorded/join-scans.ts";
import { labelCause } from "../../person/labels.ts";
import { collectRecorded, requireRequests } from "../collect-usage.ts";
import { CliError, type CommandAnswer, type Invocation, type Terminal } from "../command.ts";
import { chooseCalendar, parsePeriod } from "../parse-period.ts";
import {
  footnoteAtLeast,
  joinLines,
  markAtLeast,
  paint,
  renderLowerUsd,
  renderSafely,
  renderTable,
  renderTokens,
  renderUsd,
} from "../print/style.ts";
import { shortenAmong } from "../require-session.ts";

export const GROUPS = ["model", "day", "week", "month", "project", "agent", "folder", "session", "machine"] as const;
/** What users of other tools and of older versions type. */
export const FORMER_GROUPS = { choices: { host: "agent", client: "agent" } };
const TIMES: ReadonlySet<string> = new Set(["day", "week", "month"]);
export const ORDERS = ["cost", "pauses", "requests", "newest"] as const;

interface Grouping {
  readonly by: (typeof GROUPS)[number];
  readonly calendar: Calendar;
}

/** Tokens and cost by group, as `plimsoll stats` shows them without another report. */
export async function reportStatistics(invocation: Invocation, terminal: Terminal): Promise<CommandAnswer | undefined> {
  const by = GROUPS.find((name) => name === invocation.values.get("by")) ?? "model";
  const order = ORDERS.find((name) => name === invocation.values.get("sort"));
  const calendar = chooseCalendar(invocation, terminal);
  const period = parsePeriod(invocation, terminal.nowMs(), calendar);
  const collected = await collectRecorded(invocation.positionals, terminal);
  requireRequests(collected.scanned);
  const scanned = selectPeriod(collected.scanned, period);
  if (scanned.length === 0) throw CliError.foundNothing("no request is recorded in this period");
  const statistics = collectStatistics({ ...collected, scanned }, { by, calendar }, order);
  if (!invocation.flags.has("csv")) return { json: statistics, text: () => renderStatistics(statistics, terminal) };
  terminal.write(Buffer.from(toCsv(statistics.rows)));
  return undefined;
}

function nameKey(scan: ScannedFile, step: ScannedFile["ownSteps"][number], { by, calendar }: Grouping): string {
  if (by === "model") return step.model || "unknown";
  if (by === "project") return scan.project;
  if (by === "agent") return hostOfListed(scan.file).title;
  if (by === "folder") return scan.folder || scan.project;
  if (by === "machine") return scan.keptOf || "this machine";
  if (by === "session") return scan.sessionId || scan.file.path;
  const { atMs } = step;
  if (atMs === undefined) return "undated";
  if (by === "month") return calendar.nameMonth(atMs);
  return by === "week" ? calendar.nameWeek(atMs) : calendar.nameDay(atMs);
}

/** The title of a row's only session (empty for other rows), and its pauses longer than the life of the prompt cache: their cost, and how many have no price. */
const NO_DETAILS = { title: "", lastMs: 0, pausesUsd: 0, pauses: 0, unpricedPauses: 0 };
type Details = Readonly<typeof NO_DETAILS>;

function addDetails(sum: Details, { lastMs, pausesUsd, pauses, unpricedPauses }: Details): Details {
  return {
    title: "",
    lastMs: Math.max(sum.lastMs, lastMs),
    pausesUsd: sum.pausesUsd + pausesUsd,
    pauses: sum.pauses + pauses,
    unpricedPauses: sum.unpricedPauses + unpricedPauses,
  };
}

function describeKeys(scanned: readonly ScannedFile[], group: Grouping): ReadonlyMap<string, Details> {
  const details = new Map<string, Details>();
  for (const scan of scanned) {
    const { file, title } = scan;
    const paused = new Map(
      scan.misses.filter(({ cause }) => cause === "idle").map(({ stepId, extraUsd }) => [stepId, extraUsd]),
    );
    for (const step of scan.ownSteps) {
      const key = nameKey(scan, step, group);
      const known = details.get(key) ?? NO_DETAILS;
      const usd = paused.get(step.stepId);
      const isPause = paused.has(step.stepId);
      // A subagent's title is used only if the session's own file is missing.
      const name = file.isSubagent ? known.title || title : title || known.title;
      details.set(key, {
        title: group.by === "session" ? name : "",
        lastMs: Math.max(known.lastMs, step.atMs ?? 0),
        pausesUsd: known.pausesUsd + (usd ?? 0),
        pauses: known.pauses + (isPause ? 1 : 0),
        unpricedPauses: known.unpricedPauses + (isPause && usd === undefined ? 1 : 0),
      });
    }
  }
  return details;
}

function describeAccount(key: string, account: RecordedAccount) {
  const { requests, usage, spend, unpriced, isAssumed, unfinal } = account;
  const cacheWriteTokens = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  const standing = { unpricedRequests: unpriced, priceIsAssumed: isAssumed, unfinalOutputRequests: unfinal };
  return { key, requests, ...usage, cacheWriteTokens, ...spend, ...standing, isAtLeast: isLowerBound(account) };
}

type StatsRow = ReturnType<typeof describeAccount> & Details;

const ORDER_FIELDS = { cost: "totalUsd", pauses: "pausesUsd", requests: "requests", newest: "lastMs" } as const;

function compareRows(order: (typeof ORDERS)[number] | undefined, left: StatsRow, right: StatsRow): number {
  if (order === undefined) return left.key < right.key ? -1 : 1;
  const field = ORDER_FIELDS[order];
  return right[field] - left[field] || right.totalUsd - left.totalUsd || right.requests - left.requests;
}

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

function collectStatistics({ scanned, unreadable }: CollectedUsage, group: Grouping, order?: (typeof ORDERS)[number]) {
  const { by, calendar } = group;
  const accounts = keepAccounts(
    scanned.flatMap((file) => file.ownSteps.map((step) => [nameKey(file, step, group), step] as const)),
  );
  const details = describeKeys(scanned, group);
  const totals = sumAccounts([...accounts.values()]);
  const misses = scanned.flatMap((file) => {
    const own = new Set(file.ownSteps.map((step) => step.stepId));
    return file.misses.filter((miss) => own.has(miss.stepId));
  });
  // A file whose requests are all in other files is a copy, as of a session that two machines hold.
  const counted = scanned.filter(({ steps, ownSteps }) => ownSteps.length > 0 || steps.length === 0);
  const compactions = counted.flatMap((file) => file.compactions);
  const count = (trigger: string): number => compactions.filter((one) => one.trigger === trigger).length;
  const [automatic, manual] = [count("auto"), count("manual")];
  const sumLines = (field: keyof ScannedFile["lines"]): number =>
    scanned.reduce((sum, { lines }) => sum + lines[field], 0);
  return {
    by,
    timezone: calendar.zone,
    pricesAsOf: PRICES_AS_OF,
    /** Requests whose cost the client recorded itself, compared with list prices. */
    recordedByClient: totals.byClient,
    files: scanned.length,
    /** Of these, those that are gone or on another machine: only their sums are kept. */
    goneFiles: scanned.filter(({ keptOf }) => keptOf === "").length,
    importedFiles: scanned.filter(({ keptOf = "" }) => keptOf !== "").length,
    unreadableFiles: unreadable,
    totals: { ...describeAccount("total", totals), ...[...details.values()].reduce(addDetails, NO_DETAILS) },
    rows: [...accounts]
      .map(([key, account]) => ({ ...describeAccount(key, account), ...(details.get(key) ?? NO_DETAILS) }))
      .sort((left, right) => compareRows(order ?? (TIMES.has(by) ? undefined : "cost"), left, right)),
    cacheMisses: sumMisses(misses),
    compactions: { automatic, manual, other: compactions.length - automatic - manual },
    clients: spendByClient(scanned.map(({ file, ownSteps }) => ({ file, steps: ownSteps }))),
    toolCalls: counted.reduce((sum, file) => sum + file.toolCalls, 0),
    lines: { read: sumLines("read"), notAboutUsage: sumLines("notAboutUsage"), malformed: sumLines("malformed") },
  };
}

function renderRows({ by, rows, totals }: Statistics, terminal: Terminal): string {
  const isNarrow = terminal.columns < WIDE_COLUMNS;
  const ids = rows.map(({ key }) => key);
  const cost = (row: StatsRow): string =>
    row.unpricedRequests === row.requests
      ? "no price"
      : `${markAtLeast(row.isAtLeast, renderUsd(row.totalUsd))}${row.priceIsAssumed ? " (assumed)" : ""}`;
  const pauses = (row: StatsRow): string => markAtLeast(row.unpricedPauses > 0, renderUsd(row.pausesUsd));
  const name = (row: StatsRow): string =>
    renderSafely(by === "session" ? `${shortenAmong(row.key, ids)} ${row.title}` : row.key).trim();
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
  // A program and a file get whole names.
  const isFitted = terminal.isTerminal || terminal.environment.COLUMNS !== undefined;
  return renderTable([header, ...rows.map(cells), cells(totals)], isFitted ? terminal.columns : undefined);
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
  const isWide = terminal.columns >= WIDE_COLUMNS;
  return joinLines(
    renderRows(statistics, terminal),
    "",
    `${renderCount(files, "file")}${renderKept(statistics)}, ${renderCount(toolCalls, "tool call")}, compactions: ${compactions.automatic} automatic, ${compactions.manual} manual${compactions.other > 0 ? `, ${compactions.other} of unknown cause` : ""}`,
    by === "session"
      ? "pauses: cost of rebuilding the expired prompt cache. For details, run: plimsoll inspect --session ID"
      : `${isWide ? "written: prompt-cache writes; " : ""}read: prompt-cache reads`,
    missRows.length > 0 &&
      paint(terminal, "bold", "Prompt-cache misses: tokens that were cached and had to be sent again"),
    missRows.length > 0 && renderTable(missRows),
    by !== "agent" && renderClients(clients),
    // Clients that are in no sum.
    clients
      .filter(({ recordsUsage }) => !recordsUsage)
      .map((one) => `not included: ${renderCount(one.sessions, "session")} of ${one.client}, which records no usage`),
    renderRecorded(statistics.recordedByClient),
    footnoteAtLeast(totals.unfinalOutputRequests, totals.unpricedRequests),
    lines.malformed > 0 && `${renderCount(lines.malformed, "malformed line")} skipped`,
    statistics.unreadableFiles.map(({ path, why }) => `not read: ${renderSafely(path)} (${renderSafely(why)})`),
    `Prices as of ${statistics.pricesAsOf}; a subscription bills differently.`,
  );
}

/** A sum of what cannot be opened any more must say so. */
function renderKept({ goneFiles, importedFiles }: Statistics): string {
  const gone = goneFiles > 0 ? `${goneFiles} deleted, their sums are kept` : "";
  const imported = importedFiles > 0 ? `${importedFiles} of other machines` : "";
  const kept = [gone, imported].filter(Boolean).join("; ");
  return kept === "" ? "" : ` (${kept})`;
}

function renderClients(clients: Statistics["clients"]): string | undefined {
  const measured = clients.filter(({ recordsUsage }) => recordsUsage);
  if (measured.length < 2) return undefined;
  const each = measured.map(({ client, totalUsd, isAtLeast }) => `${client} ${renderLowerUsd(totalUsd, isAtLeast)}`);
  return `by agent: ${each.join(", ")} (--by agent)`;
}

/** Costs that a client recorded itself take precedence; the list price of the same requests is shown, too. */
function renderRecorded({ requests, usd, listedUsd, listUsd }: Statistics["recordedByClient"]): string | undefined {
  if (requests === 0) return undefined;
  const listed =
    listedUsd > 0 ? `; list prices give ${renderUsd(listUsd)} where the agent recorded ${renderUsd(listedUsd)}` : "";
  return `included: ${renderUsd(usd)} that the agent recorded for ${renderCount(requests, "request")}${listed}`;
}
