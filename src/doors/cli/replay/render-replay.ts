import { renderCount } from "../../../core/render-count.ts";
import type { Relative } from "../../../replay/compare-sessions.ts";
import type { GroupName, PolicyTotals, ReplayReport } from "../../../replay/report.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely, renderTokens, renderUsd } from "../style.ts";
import { renderClientDollars } from "./render-client-dollars.ts";
import {
  type Column,
  renderColumns,
  renderInterval,
  renderNumber,
  renderRatio,
  renderShareCell,
} from "./render-columns.ts";
import { renderReplayVerdict } from "./render-verdict.ts";

/** The first always stand; of the others as many as the terminal is wide enough for, in this order. */
const COLUMNS: readonly Column<PolicyTotals>[] = [
  { title: "policy", cell: ({ name, wordlessSessions }) => `${renderSafely(name)}${wordlessSessions > 0 ? "*" : ""}` },
  { title: "cost", cell: ({ netUsd }) => renderUsd(netUsd) },
  { title: "/native", cell: ({ relative }) => renderRatio(relative.netUsd) },
  { title: "recent kept", cell: ({ hotRetained }) => renderShareCell(hotRetained) },
  { title: "older kept", cell: ({ coldRetained }) => renderShareCell(coldRetained) },
  { title: "lost", cell: ({ coldLost }) => renderShareCell(coldLost) },
  { title: "failures", cell: ({ fatal }) => renderNumber(fatal) },
  { title: "cache breaks", cell: ({ prefixBusts }) => String(prefixBusts) },
  { title: "90 %", cell: ({ relative }) => renderInterval(relative.netInterval) },
  { title: "at boundaries", cell: ({ atBoundaries }) => renderShareCell(atBoundaries) },
  { title: "older fetched", cell: ({ coldRecoverable }) => renderShareCell(coldRecoverable) },
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
  const clients = renderClientDollars(report, terminal);
  const short = shortSessions.length > 0 ? `; ${renderCount(shortSessions.length, "short one")} apart` : "";
  return [
    `${renderCount(sessions.length, "session")}, ${renderCount(steps, "request")} replayed${short}; ${renderCount(leftOut.length, "session")} left out`,
    ...(verdict === "" ? [] : ["", verdict]),
    ...(clients === "" ? [] : ["", clients]),
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

/** How sure the totals are and how the sessions differ, then what else than dollars may be counted. */
function renderSpread(report: ReplayReport, terminal: Terminal): string {
  const { policies, summaries, sessions, shortSessions } = report;
  const hasBounds = policies.some(({ bounds }) => bounds);
  const hasSeveral = sessions.length + shortSessions.length > 1;
  const title = "Net dollars, native's being 1: in total, by window, and by session";
  return [
    ...(hasSeveral
      ? [paint(terminal, "bold", title), renderColumns(listSpreadColumns(report), policies, terminal), ""]
      : []),
    paint(terminal, "bold", "What else may be counted, native's being 1"),
    renderColumns(hasBounds ? [...COUNTED, ...BOUNDS] : COUNTED, policies, terminal),
    ...(hasBounds ? ["", ...explainBounds(summaries)] : []),
  ].join("\n");
}

function listSpreadColumns(report: ReplayReport): readonly Column<PolicyTotals>[] {
  const inGroup = (group: GroupName) => (policy: PolicyTotals) =>
    renderRatio(findRelative(report, group, policy.name)?.netUsd, 2);
  return [
    NAME,
    { title: "all", cell: ({ relative }) => renderRatio(relative.netUsd, 2) },
    { title: "90 %", cell: ({ relative }) => renderInterval(relative.netInterval, 2) },
    { title: "200k", cell: inGroup("window200k") },
    { title: "1M", cell: inGroup("window1m") },
    { title: "short", cell: inGroup("short") },
    { title: "median", cell: ({ relative }) => renderRatio(relative.sessionMedian, 2) },
    { title: "worst", cell: ({ relative }) => renderRatio(relative.worst?.netUsd, 2) },
    {
      title: "dearer",
      cell: ({ relative: { dearerShare } }) => (dearerShare === undefined ? "-" : `${Math.round(dearerShare * 100)} %`),
    },
  ];
}

const NAME: Column<PolicyTotals> = {
  title: "policy",
  cell: ({ name, wordlessSessions }) => `${renderSafely(name)}${wordlessSessions > 0 ? "*" : ""}`,
};

const COUNTED: readonly Column<PolicyTotals>[] = [
  NAME,
  { title: "requests", cell: ({ relative }) => renderRatio(relative.requests, 2) },
  { title: "tokens", cell: ({ relative }) => renderRatio(relative.tokens, 2) },
  { title: "not cached", cell: ({ relative }) => renderRatio(relative.uncachedTokens, 2) },
];

const BOUNDS: readonly Column<PolicyTotals>[] = [
  { title: "net, summaries kept", cell: ({ bounds }) => renderRatio(bounds?.heldAsRecorded?.relativeNetUsd, 2) },
  { title: "kept nothing", cell: ({ bounds }) => renderRatio(bounds?.heldNothing.relativeNetUsd, 2) },
];

function explainBounds({ needs, share }: ReplayReport["summaries"]): readonly string[] {
  const kept =
    share === undefined
      ? "no summary was recorded in these sessions, so that nobody can say what they keep"
      : `as much as the recorded ones: ${(share * 100).toFixed(0)} % of ${needs} later needs`;
  return [
    "* what its summaries would have kept is not known. Net with re-reads, if they had kept",
    `  ${kept}; and if nothing.`,
  ];
}

function findRelative(report: ReplayReport, group: GroupName, policy: string): Relative | undefined {
  return report.groups.find(({ name }) => name === group)?.policies.find(({ name }) => name === policy)?.relative;
}
