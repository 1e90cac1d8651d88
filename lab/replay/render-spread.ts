import type { Terminal } from "../../src/entry/cli/command.ts";
import { joinLines, paint, renderTokens, renderUsd } from "../../src/entry/cli/print/style.ts";
import {
  type Column,
  POLICY_NAME,
  renderColumns,
  renderInterval,
  renderRatio,
  renderShareCell,
} from "../../src/entry/cli/replay/render-replay.ts";
import type { GroupName, PolicyTotals, ReplayReport } from "../../src/replay/report.ts";

/** What the product leaves to its JSON: further figures, the uncertainty of the totals, the differences between sessions, then counts other than dollars. */
export function renderSpread(report: ReplayReport, terminal: Terminal): string {
  const { policies, summaries, sessions, shortSessions } = report;
  const hasBounds = policies.some(({ bounds }) => bounds);
  const hasSeveral = sessions.length + shortSessions.length > 1;
  const title = "Net dollars relative to native (1): in total, by window, and by session";
  return joinLines(
    sessions.length > 0 && [paint(terminal, "bold", "Further figures"), renderColumns(FURTHER, policies, terminal), ""],
    hasSeveral && [paint(terminal, "bold", title), renderColumns(listSpreadColumns(report), policies, terminal), ""],
    paint(terminal, "bold", "Other counts relative to native (1)"),
    renderColumns(hasBounds ? [...COUNTED, ...BOUNDS] : COUNTED, policies, terminal),
    hasBounds && ["", ...explainBounds(summaries)],
  );
}

function listSpreadColumns(report: ReplayReport): readonly Column<PolicyTotals>[] {
  const inGroup = (group: GroupName) => (policy: PolicyTotals) => {
    const inIt = report.groups.find(({ name }) => name === group)?.policies.find(({ name }) => name === policy.name);
    return renderRatio(inIt?.relative.netUsd, 2);
  };
  return [
    POLICY_NAME,
    { title: "all", cell: ({ relative }) => renderRatio(relative.netUsd, 2) },
    { title: "90 %", cell: ({ relative }) => renderInterval(relative.netInterval, 2) },
    { title: "200k", cell: inGroup("window200k") },
    { title: "1M", cell: inGroup("window1m") },
    { title: "short", cell: inGroup("short") },
    { title: "median", cell: ({ relative }) => renderRatio(relative.sessionMedian, 2) },
    { title: "worst", cell: ({ relative }) => renderRatio(relative.worst?.netUsd, 2) },
    { title: "cost more", cell: ({ relative }) => renderShareCell(relative.dearerShare, 0) },
  ];
}

const COUNTED: readonly Column<PolicyTotals>[] = [
  POLICY_NAME,
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
      ? "an unknown amount, because no summary was recorded in these sessions"
      : `as much as the recorded summaries (${(share * 100).toFixed(0)} % of the ${needs} items that were needed later)`;
  return [
    "* It is unknown what this setting's summaries would have kept. The last two columns show the net cost with re-reads,",
    `  first if the summaries kept ${kept}, then if they kept nothing.`,
  ];
}

const FURTHER: readonly Column<PolicyTotals>[] = [
  POLICY_NAME,
  { title: "cache breaks", cell: ({ prefixBusts }) => String(prefixBusts) },
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
  { title: "plan p95", cell: ({ planMsP95 }) => `${renderRatio(planMsP95, 2)} ms` },
];
