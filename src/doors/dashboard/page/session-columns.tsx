import type { ToldFigure } from "../../person/tell-look-back.ts";
import type { SessionRow } from "../wire-sessions.ts";
import { plural, renderCount, renderDay, renderLowerUsd, renderProject, renderTokens, renderUsd } from "./format.ts";
import { Safe } from "./safe.tsx";
import { Bar, type Column } from "./table.tsx";

interface FigureColumn {
  readonly name: string;
  take(row: SessionRow): number | null;
}

/** The column that a figure of the look back is told in. */
export const FIGURE_COLUMNS: Readonly<Record<ToldFigure["kind"], FigureColumn>> = {
  total: { name: "Cost", take: ({ totalUsd }) => totalUsd },
  pauses: { name: "Pauses", take: ({ pausesUsd }) => pausesUsd },
  rewrites: { name: "Other rewrites", take: ({ rewritesUsd }) => rewritesUsd },
  carried: { name: "Carried", take: ({ carriedUsd }) => carriedUsd },
  saved: { name: "Plimsoll saves", take: ({ savedUsd }) => savedUsd },
};
const PAID_TWICE: FigureColumn = { name: "Paid twice", take: ({ pausesUsd, rewritesUsd }) => pausesUsd + rewritesUsd };

/** What a session is told by; the client's name where there are several, and what a replay says where there was one. */
export function planColumns(
  rows: readonly SessionRow[],
  behind: ToldFigure["kind"] | undefined,
): readonly Column<SessionRow>[] {
  const hasHosts = new Set(rows.map(({ host }) => host)).size > 1;
  const isReplayed = rows.some(({ savedUsd }) => savedUsd !== null);
  const figures =
    behind === undefined || behind === "total"
      ? [PAID_TWICE, ...(isReplayed ? [FIGURE_COLUMNS.saved] : [])]
      : [FIGURE_COLUMNS[behind]];
  return [
    {
      name: "Session",
      render: ({ key, title, project, isRunning, isSubagent, subagents }) => (
        <>
          <a class="session-link" href={`#/session/${key}`}>
            <Safe text={title} />
          </a>
          <span class="meta">
            <Safe text={renderProject(project)} />
            {isRunning && <b class="tag is-running">running</b>}
            {isSubagent && <b class="tag">subagent</b>}
            {subagents.length > 0 && <span class="tag">{plural(subagents.length, "subagent")}</span>}
          </span>
        </>
      ),
      sortBy: ({ title }) => title,
    },
    {
      name: "Last request",
      render: ({ lastMs }) => <span class="day-name">{renderDay(lastMs)}</span>,
      sortBy: ({ lastMs }) => lastMs,
      isExtra: true,
    },
    ...(hasHosts
      ? [
          {
            name: "Client",
            render: ({ host }: SessionRow) => host,
            sortBy: ({ host }: SessionRow) => host,
            isExtra: true,
          },
        ]
      : []),
    { name: "Model", render: ({ model }) => <Safe text={model} />, sortBy: ({ model }) => model, isExtra: true },
    {
      name: "Requests",
      render: ({ requests }) => renderCount(requests),
      sortBy: ({ requests }) => requests,
      isNumber: true,
      isExtra: true,
    },
    {
      name: "Compacted",
      render: ({ compactions }) => (compactions === 0 ? "–" : `${renderCount(compactions)}×`),
      sortBy: ({ compactions }) => compactions,
      isNumber: true,
      isExtra: true,
    },
    {
      name: "Fullest",
      render: ({ peakTokens, windowTokens }) => (
        <>
          {renderTokens(peakTokens)}
          <Bar share={peakTokens / windowTokens} title={`of a window of ${renderTokens(windowTokens)} tokens`} />
        </>
      ),
      sortBy: ({ peakTokens }) => peakTokens,
      isNumber: true,
    },
    ...figures.map(
      ({ name, take }): Column<SessionRow> => ({
        name,
        render: (row) => renderPart(take(row)),
        sortBy: (row) => take(row) ?? Number.NEGATIVE_INFINITY,
        isNumber: true,
        isExtra: behind === undefined,
      }),
    ),
    {
      name: "Cost",
      render: ({ totalUsd, isAtLeast }) => renderLowerUsd(totalUsd, isAtLeast),
      sortBy: ({ totalUsd }) => totalUsd,
      isNumber: true,
    },
  ];
}

function renderPart(usd: number | null): string {
  return usd === null || usd === 0 ? "–" : renderUsd(usd);
}
