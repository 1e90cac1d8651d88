import { renderCount } from "../../../core/render-count.ts";
import type { PolicyTotals, ReplayReport } from "../../../replay/report.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely, renderTokens, renderUsd } from "../style.ts";
import {
  type Column,
  renderColumns,
  renderInterval,
  renderNumber,
  renderRatio,
  renderShareCell,
} from "./render-columns.ts";
import { renderSpread } from "./render-spread.ts";
import { renderReplayVerdict } from "./render-verdict.ts";

/** The first always stand; of the others as many as the terminal is wide enough for, in this order. */
const COLUMNS: readonly Column<PolicyTotals>[] = [
  { title: "policy", cell: ({ name, wordlessSessions }) => `${renderSafely(name)}${wordlessSessions > 0 ? "*" : ""}` },
  { title: "net", cell: ({ netUsd }) => renderUsd(netUsd) },
  { title: "/native", cell: ({ relative }) => renderRatio(relative.netUsd) },
  { title: "hot kept", cell: ({ hotRetained }) => renderShareCell(hotRetained) },
  { title: "cold kept", cell: ({ coldRetained }) => renderShareCell(coldRetained) },
  { title: "lost", cell: ({ coldLost }) => renderShareCell(coldLost) },
  { title: "fatal", cell: ({ fatal }) => renderNumber(fatal) },
  { title: "busts", cell: ({ prefixBusts }) => String(prefixBusts) },
  { title: "90 %", cell: ({ relative }) => renderInterval(relative.netInterval) },
  { title: "at boundaries", cell: ({ atBoundaries }) => renderShareCell(atBoundaries) },
  { title: "cold fetched", cell: ({ coldRecoverable }) => renderShareCell(coldRecoverable) },
  { title: "edit lines", cell: ({ editLineRecall }) => renderShareCell(editLineRecall) },
  { title: "recovery", cell: ({ recoveryUsd }) => renderUsd(recoveryUsd) },
  { title: "re-reads", cell: ({ rereadUsd }) => renderUsd(rereadUsd) },
  { title: "sent", cell: ({ tokensSent }) => renderTokens(tokensSent) },
  { title: "peak", cell: ({ peakTokens }) => renderTokens(peakTokens) },
  { title: "compactions", cell: ({ compactions }) => String(compactions) },
  { title: "blocked", cell: ({ blockedMs }) => `${Math.round(blockedMs / 60_000)} min` },
  { title: "session p95", cell: ({ relative }) => renderRatio(relative.sessionP95) },
  { title: "plan p95", cell: ({ planMsP95 }) => `${renderNumber(planMsP95, 2)} ms` },
];

/** More names than anyone reads on a terminal stand in the JSON. */
const MOST_LEFT_OUT = 40;

export function renderReplay(report: ReplayReport, terminal: Terminal, whose: { readonly isOwn: boolean }): string {
  const { sessions, shortSessions, steps, policies, leftOut } = report;
  const wordless = policies.filter(({ wordlessSessions }) => wordlessSessions > 0);
  const verdict = renderReplayVerdict(report, terminal, whose);
  const short = shortSessions.length > 0 ? `; ${renderCount(shortSessions.length, "short one")} apart` : "";
  return [
    `${renderCount(sessions.length, "session")}, ${renderCount(steps, "request")} replayed${short}; ${renderCount(leftOut.length, "session")} left out`,
    ...(verdict === "" ? [] : ["", verdict]),
    ...(sessions.length > 0 ? ["", renderColumns(COLUMNS, policies, terminal)] : []),
    ...(wordless.length > 0
      ? [
          "",
          "* compacts with a summary that nobody recorded: those sessions count for the price, not for the need",
          `  (${wordless.map(({ name, wordlessSessions }) => `${renderSafely(name)} ${wordlessSessions}`).join(", ")})`,
        ]
      : []),
    ...(sessions.length + shortSessions.length > 0 ? ["", renderSpread(report, terminal)] : []),
    ...(leftOut.length > 0 ? ["", paint(terminal, "bold", "Left out of the totals")] : []),
    ...leftOut.slice(0, MOST_LEFT_OUT).map(({ name, why }) => `  ${renderSafely(name)}: ${renderSafely(why)}`),
    ...(leftOut.length > MOST_LEFT_OUT ? [`  and ${leftOut.length - MOST_LEFT_OUT} more; --json names them all`] : []),
  ].join("\n");
}
