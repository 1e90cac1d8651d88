import { renderCount } from "../../../core/render-count.ts";
import { type ClientDollars, sumDollars } from "../../../replay/client-dollars.ts";
import type { PolicyTotals, ReplayReport } from "../../../replay/report.ts";
import { DOLLARS_LEGEND } from "../../person/labels.ts";
import type { Terminal } from "../command.ts";
import { wrapText } from "../help.ts";
import { joinLines, paint, renderSafely, renderTable, renderUsd } from "../print/style.ts";
import { renderReplayVerdict, type Whose } from "./render-verdict.ts";

export interface Column<T> {
  readonly title: string;
  cell(row: T): string;
}

const NOT_SHOWN = "-";
const GAP = 2;

/** Shows as many columns as fit the terminal, in order of importance. */
export function renderColumns<T>(columns: readonly Column<T>[], rows: readonly T[], terminal: Terminal): string {
  const table = columns.map(({ title, cell }) => [title, ...rows.map(cell)]);
  let width = -GAP;
  const shown = table.filter((cells) => {
    width += GAP + Math.max(...cells.map((cell) => cell.length));
    return width <= terminal.columns;
  });
  return renderTable(["header", ...rows].map((_, row) => shown.map((cells) => cells[row] ?? "")));
}

export function renderRatio(ratio: number | undefined, digits = 3): string {
  return ratio === undefined ? NOT_SHOWN : ratio.toFixed(digits);
}

export function renderInterval(
  interval: { readonly low: number; readonly high: number } | undefined,
  digits = 3,
): string {
  return interval ? `${renderRatio(interval.low, digits)}-${renderRatio(interval.high, digits)}` : NOT_SHOWN;
}

export function renderShareCell(share: number | undefined, digits: number = (share ?? 0) < 0.0995 ? 2 : 1): string {
  return share === undefined ? NOT_SHOWN : `${(share * 100).toFixed(digits)} %`;
}

export const POLICY_NAME: Column<PolicyTotals> = {
  title: "policy",
  cell: ({ name, wordlessSessions }) => `${renderSafely(name)}${wordlessSessions > 0 ? "*" : ""}`,
};

/** As many as fit, in this order. `--json` has every other figure. */
const COLUMNS: readonly Column<PolicyTotals>[] = [
  POLICY_NAME,
  { title: "cost", cell: ({ netUsd }) => renderUsd(netUsd) },
  { title: "/native", cell: ({ relative }) => renderRatio(relative.netUsd) },
  { title: "recent kept", cell: ({ hotRetained }) => renderShareCell(hotRetained) },
  { title: "older kept", cell: ({ coldRetained }) => renderShareCell(coldRetained) },
  { title: "lost", cell: renderLost },
  { title: "failures", cell: ({ fatal }) => renderRatio(fatal, 0) },
  { title: "90 %", cell: ({ relative }) => renderInterval(relative.netInterval) },
];

/** What summaries whose words are unknown would lose is known only from those that the client recorded. */
function renderLost({ coldLost, bounds }: PolicyTotals): string {
  if (!bounds) return renderShareCell(coldLost);
  return bounds.heldAsRecorded ? `~${renderShareCell(bounds.heldAsRecorded.coldLost)}` : "not recorded";
}

/** On a terminal longer lists are cut; the JSON has all names. */
const MOST_LEFT_OUT = 40;

export function renderReplay(report: ReplayReport, terminal: Terminal, whose: Whose): string {
  const { sessions, shortSessions, steps, policies, leftOut } = report;
  const wordless = policies.filter(({ wordlessSessions }) => wordlessSessions > 0);
  const verdict = renderReplayVerdict(report, terminal, whose);
  const clients = renderClientDollars(report, terminal);
  const short = shortSessions.length > 0 ? `; ${renderCount(shortSessions.length, "short session")} separately` : "";
  const { isAnswer, files } = whose.asked;
  const isNothing = sessions.length + shortSessions.length === 0;
  return joinLines(
    isAnswer && verdict !== "" && [verdict, ""],
    isAnswer && isNothing && [noteNothing(files), ""],
    `${renderCount(sessions.length, "session")}, ${renderCount(steps, "request")} replayed${short}; ${renderCount(leftOut.length, "session")} left out`,
    !isAnswer && verdict !== "" && ["", verdict],
    clients !== "" && ["", clients],
    // Who asked for nothing in particular has the answer in words.
    sessions.length > 0 && !isAnswer && ["", renderColumns(COLUMNS, policies, terminal)],
    wordless.length > 0 &&
      !isAnswer && [
        "",
        "* Some sessions do not record this setting's summaries. They count for the cost, but not for what is kept. What is lost is then estimated from the summaries that are recorded (~).",
        `  (${wordless.map(({ name, wordlessSessions }) => `${renderSafely(name)} ${wordlessSessions}`).join(", ")})`,
      ],
    leftOut.length > 0 && ["", paint(terminal, "bold", "Left out of the totals")],
    leftOut.slice(0, MOST_LEFT_OUT).map(({ name, why }) => `  ${renderSafely(name)}: ${renderSafely(why)}`),
    leftOut.length > MOST_LEFT_OUT && `  and ${leftOut.length - MOST_LEFT_OUT} more; --json lists them all`,
  );
}

function noteNothing(files: number): string {
  const none = files === 1 ? "Your one session file cannot" : `None of your ${files} session files can`;
  return `${none} be replayed, so there is no saving to show. The reason is below. What was spent: plimsoll stats`;
}

const NAMES = ["agent", "sessions", "billed", "replayed", "simulated", "Plimsoll", "saved"];

/** Billed, simulated and Plimsoll's dollars side by side; empty if Plimsoll was not replayed. */
function renderClientDollars({ clients, leftOut }: ReplayReport, terminal: Terminal): string {
  const replayed = clients.filter(({ sessions, billedUsd = 0 }) => sessions > 0 || billedUsd > 0);
  if (!replayed.some(({ sessions }) => sessions > 0)) return "";
  const rows = replayed.length > 1 ? [...replayed, sumAll(replayed)] : replayed;
  const isFar = (one: ClientDollars): boolean => Math.abs(one.simulatedUsd / one.recordedUsd - 1) > 0.15;
  const legend =
    DOLLARS_LEGEND +
    (replayed.some(isFar)
      ? " If simulated and replayed differ by more than 15 %, the agent recorded prices that differ from the list prices, or --unchecked included sessions that the simulation does not match."
      : "") +
    (leftOut.length > 0 ? " Sessions that are left out count only in the billed column, and are listed below." : "");
  return [
    paint(terminal, "bold", "Dollars by agent"),
    renderTable([NAMES, ...rows.map(renderRow)]),
    ...wrapText(legend, Math.min(terminal.columns, 100), ""),
  ].join("\n");
}

function renderRow(row: ClientDollars): readonly string[] {
  const { client, sessions, billedUsd, recordedUsd, simulatedUsd, ownUsd, savedUsd } = row;
  const dollars = [recordedUsd, simulatedUsd, ownUsd, savedUsd];
  const cells = sessions === 0 ? dollars.map(() => "-") : dollars.map((usd) => renderUsd(usd));
  return [client, String(sessions), billedUsd === undefined ? "-" : renderUsd(billedUsd), ...cells];
}

/** Savings are relative to each session's own bill, so they can be added up. */
function sumAll(rows: readonly ClientDollars[]): ClientDollars {
  const sum = (pick: (row: ClientDollars) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  const [billedUsd, sessions] = [sum((row) => row.billedUsd ?? 0), sum((row) => row.sessions)];
  return { ...sumDollars(rows), client: "all", billedUsd, sessions, savedUsd: sum(({ savedUsd }) => savedUsd) };
}
