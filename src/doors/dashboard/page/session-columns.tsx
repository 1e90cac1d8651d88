import type { MissedUsd } from "../../../measure/cache-miss.ts";
import type { ToldFigure } from "../../person/tell-look-back.ts";
import type { SessionRow } from "../wire-sessions.ts";
import { plural, renderDay, renderInteger, renderLowerUsd, renderProject, renderTokens } from "./format.ts";
import { Safe } from "./safe.tsx";
import { Bar, type TableColumn } from "./table.tsx";

/** At the end of a model's name: Spend tells it, and a list has no room for it. */
const RELEASE_DATE = /-20\d{6}$/;

interface FigureColumn {
  readonly name: string;
  /** `null` where the session is no part of it. */
  take(row: SessionRow): MissedUsd | null;
}

/** By a replay: about so much, and no bound. */
function byReplay(usd: number | null): MissedUsd | null {
  return usd === null ? null : { usd, isAtLeast: false };
}

/** The column that a figure of the look back is told in. */
export const FIGURE_COLUMNS: Readonly<Record<ToldFigure["kind"], FigureColumn>> = {
  total: { name: "Cost", take: ({ totalUsd, isAtLeast }) => ({ usd: totalUsd, isAtLeast }) },
  pauses: { name: "Pauses", take: ({ pauses }) => pauses },
  rewrites: { name: "Other rewrites", take: ({ rewrites }) => rewrites },
  carried: { name: "Carried", take: ({ carriedUsd }) => byReplay(carriedUsd) },
  saved: { name: "Plimsoll saves", take: ({ savedUsd }) => byReplay(savedUsd) },
};
const PAID_TWICE: FigureColumn = { name: "Paid twice", take: ({ pauses, rewrites }) => sumColumns([pauses, rewrites]) };

export function sumColumns(sums: readonly MissedUsd[]): MissedUsd {
  return {
    usd: sums.reduce((sum, { usd }) => sum + usd, 0),
    isAtLeast: sums.some(({ isAtLeast }) => isAtLeast),
  };
}

/** What a session is told by; the client's name where there are several, and what a replay says where there was one. */
export function planColumns(
  rows: readonly SessionRow[],
  behind: ToldFigure["kind"] | undefined,
): readonly TableColumn<SessionRow>[] {
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
      render: ({ lastMs }) => <span class="whole">{renderDay(lastMs)}</span>,
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
    {
      name: "Model",
      render: ({ model }) => (
        <span class="whole">
          <Safe text={model.replace(RELEASE_DATE, "")} />
        </span>
      ),
      sortBy: ({ model }) => model,
      isExtra: true,
    },
    {
      name: "Requests",
      render: ({ requests }) => renderInteger(requests),
      sortBy: ({ requests }) => requests,
      isNumber: true,
      isExtra: true,
    },
    {
      name: "Compacted",
      render: ({ compactions }) => (compactions === 0 ? "–" : `${renderInteger(compactions)}×`),
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
      ({ name, take }): TableColumn<SessionRow> => ({
        name,
        render: (row) => renderPart(take(row)),
        sortBy: (row) => take(row)?.usd ?? Number.NEGATIVE_INFINITY,
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

function renderPart(part: MissedUsd | null): string {
  if (part === null || (part.usd === 0 && !part.isAtLeast)) return "–";
  return renderLowerUsd(part.usd, part.isAtLeast);
}
