import type { Terminal } from "../../src/entry/cli/command.ts";
import { paint, renderSafely } from "../../src/entry/cli/print/style.ts";
import { type Column, renderColumns, renderInterval, renderRatio } from "../../src/entry/cli/replay/render-replay.ts";
import type { PolicyTotals, ReplayReport } from "../../src/replay/report.ts";
import { ENTRY_POINTS } from "./entry-points.ts";

/** What no entry point has in common with another does not fit into a column. */
const MOST_REASONS = 5;

/** Each entry point by itself at the prices of its day, which those of `native` are, and what it left in the view although it could have gone; empty where none was driven. */
export function renderEntryPoints({ policies, steps }: ReplayReport, terminal: Terminal): string {
  const entryPoints = ENTRY_POINTS.filter(({ pricedAs }) => pricedAs === undefined).flatMap(
    ({ name }) => policies.find((policy) => policy.name === name) ?? [],
  );
  if (entryPoints.length === 0) return "";
  const columns: readonly Column<PolicyTotals>[] = [
    { title: "door", cell: ({ name }) => name },
    { title: "/native", cell: ({ relative }) => renderRatio(relative.netUsd) },
    { title: "90 %", cell: ({ relative }) => renderInterval(relative.netInterval, 2) },
    { title: "worst", cell: ({ relative }) => renderRatio(relative.worst?.netUsd, 2) },
    { title: "cost more", cell: ({ relative }) => `${Math.round((relative.dearerShare ?? 0) * 100)} %` },
    { title: "recalls", cell: ({ fetches }) => `${fetches} (1 in ${fetches > 0 ? Math.round(steps / fetches) : "-"})` },
    { title: "summaries", cell: ({ compactions }) => String(compactions) },
  ];
  const reasons = entryPoints.flatMap(({ name, left }) =>
    left.length === 0
      ? []
      : [
          `${name} left something in place that could have gone:`,
          ...left.slice(0, MOST_REASONS).map(({ why, times }) => `  ${times} times: ${renderSafely(why)}`),
          ...(left.length > MOST_REASONS
            ? [`  and ${left.length - MOST_REASONS} more reasons; --json has them all`]
            : []),
        ],
  );
  return [
    paint(terminal, "bold", "Doors, each through its own code"),
    renderColumns(columns, entryPoints, terminal),
    ...(reasons.length > 0 ? ["", ...reasons] : []),
  ].join("\n");
}
