import path from "node:path";
import { REFERENCE } from "../../../replay/catalogue.ts";
import type { ReplayReport, ReportedSession } from "../../../replay/report.ts";
import type { Terminal } from "../command.ts";
import { shortenId } from "../find-session.ts";
import { paint, renderSafely, renderTable, renderUsd } from "../style.ts";

const MOST_POLICIES = 3;

/** Every session under the client and the first policies, the one with the most to gain first. */
export function renderSessions(report: ReplayReport, terminal: Terminal): string {
  const names = report.policies.map(({ name }) => name).filter((name) => name !== REFERENCE);
  const shown = names.slice(0, MOST_POLICIES);
  const [first = REFERENCE] = shown;
  const rows = [...report.sessions, ...report.shortSessions].sort(
    (left, right) => gain(right, first) - gain(left, first),
  );
  const cells = (row: ReportedSession): readonly string[] => [
    `  ${renderSafely(shortenId(path.posix.basename(row.name, ".jsonl"))).slice(0, 24)}`,
    String(row.steps),
    ...[REFERENCE, ...shown].map((name) => {
      const usd = netOf(row, name);
      return usd === undefined ? "-" : renderUsd(usd);
    }),
  ];
  return [
    paint(terminal, "bold", "Every session, net dollars"),
    renderTable([["  session", "requests", REFERENCE, ...shown], ...rows.map(cells)]),
    paint(terminal, "dim", "plimsoll inspect --session ID looks into one"),
  ].join("\n");
}

function gain(row: ReportedSession, policy: string): number {
  return (netOf(row, REFERENCE) ?? 0) - (netOf(row, policy) ?? 0);
}

function netOf({ policies }: ReportedSession, policy: string): number | undefined {
  return policies.find(({ name }) => name === policy)?.netUsd;
}
