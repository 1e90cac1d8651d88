import { renderCount } from "../../../core/render-count.ts";
import type { PolicyTotals, Report } from "../../../replay/report.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely, renderTable, renderTokens, renderUsd } from "../style.ts";

interface Column {
  readonly title: string;
  cell(totals: PolicyTotals): string;
}

const NOT_TOLD = "-";

/** The first always stand; of the others as many as the terminal is wide enough for, in this order. */
const COLUMNS: readonly Column[] = [
  { title: "policy", cell: ({ name, wordlessSessions }) => `${renderSafely(name)}${wordlessSessions > 0 ? "*" : ""}` },
  { title: "net", cell: ({ netUsd }) => renderUsd(netUsd) },
  { title: "/native", cell: ({ relative }) => renderRatio(relative.netUsd) },
  { title: "hot kept", cell: ({ hotRetained }) => renderShare(hotRetained) },
  { title: "cold kept", cell: ({ coldRetained }) => renderShare(coldRetained) },
  { title: "lost", cell: ({ coldLost }) => renderShare(coldLost) },
  { title: "fatal", cell: ({ fatal }) => (fatal === undefined ? NOT_TOLD : String(fatal)) },
  { title: "busts", cell: ({ prefixBusts }) => String(prefixBusts) },
  {
    title: "90 %",
    cell: ({ intervals: { relativeNetUsd } }) =>
      relativeNetUsd ? `${renderRatio(relativeNetUsd.low)}-${renderRatio(relativeNetUsd.high)}` : NOT_TOLD,
  },
  { title: "at boundaries", cell: ({ atBoundaries }) => renderShare(atBoundaries) },
  { title: "cold fetched", cell: ({ coldRecoverable }) => renderShare(coldRecoverable) },
  { title: "edit lines", cell: ({ editLineRecall }) => renderShare(editLineRecall) },
  { title: "recovery", cell: ({ recoveryUsd }) => renderUsd(recoveryUsd) },
  { title: "re-reads", cell: ({ rereadUsd }) => renderUsd(rereadUsd) },
  { title: "sent", cell: ({ tokensSent }) => renderTokens(tokensSent) },
  { title: "peak", cell: ({ peakTokens }) => renderTokens(peakTokens) },
  { title: "compactions", cell: ({ compactions }) => String(compactions) },
  { title: "blocked", cell: ({ blockedMs }) => `${Math.round(blockedMs / 60_000)} min` },
  { title: "session p95", cell: ({ relative }) => renderRatio(relative.sessionP95) },
  { title: "plan p95", cell: ({ planMsP95 }) => (planMsP95 === undefined ? NOT_TOLD : `${planMsP95.toFixed(2)} ms`) },
];

const GAP = 2;
/** More names than anyone reads on a terminal stand in the JSON. */
const MOST_LEFT_OUT = 40;

export function renderReplay(report: Report, terminal: Terminal): string {
  const { sessions, steps, policies, leftOut } = report;
  const wordless = policies.filter(({ wordlessSessions }) => wordlessSessions > 0);
  return [
    `${renderCount(sessions.length, "session")}, ${renderCount(steps, "request")} replayed; ${renderCount(leftOut.length, "session")} left out`,
    ...(sessions.length > 0 ? ["", renderTotals(policies, terminal)] : []),
    ...(wordless.length > 0
      ? [
          "",
          "* compacts with a summary that nobody recorded: those sessions count for the price, not for the need",
          `  (${wordless.map(({ name, wordlessSessions }) => `${renderSafely(name)} ${wordlessSessions}`).join(", ")})`,
        ]
      : []),
    ...(leftOut.length > 0 ? ["", paint(terminal, "bold", "Left out of the totals")] : []),
    ...leftOut.slice(0, MOST_LEFT_OUT).map(({ name, why }) => `  ${renderSafely(name)}: ${renderSafely(why)}`),
    ...(leftOut.length > MOST_LEFT_OUT ? [`  and ${leftOut.length - MOST_LEFT_OUT} more; --json names them all`] : []),
  ].join("\n");
}

function renderTotals(policies: readonly PolicyTotals[], terminal: Terminal): string {
  const columns = COLUMNS.map(({ title, cell }) => [title, ...policies.map(cell)]);
  let width = -GAP;
  const shown = columns.filter((cells) => {
    width += GAP + Math.max(...cells.map((cell) => cell.length));
    return width <= terminal.columns;
  });
  return renderTable(["header", ...policies].map((_, row) => shown.map((cells) => cells[row] ?? "")));
}

function renderRatio(ratio: number | undefined): string {
  return ratio === undefined ? NOT_TOLD : ratio.toFixed(3);
}

function renderShare(share: number | undefined): string {
  return share === undefined ? NOT_TOLD : `${(share * 100).toFixed(share < 0.0995 ? 2 : 1)} %`;
}
