import type { Relative } from "../../../replay/compare-sessions.ts";
import type { GroupName, PolicyTotals, ReplayReport } from "../../../replay/report.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely } from "../style.ts";
import { type Column, renderColumns, renderInterval, renderRatio } from "./render-columns.ts";

/** How sure the totals are and how the sessions differ, then what else than dollars may be counted. */
export function renderSpread(report: ReplayReport, terminal: Terminal): string {
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
