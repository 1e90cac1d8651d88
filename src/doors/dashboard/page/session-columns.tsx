import type { MissedUsd } from "../../../measure/cache-miss.ts";
import type { ToldFigure } from "../../person/tell-look-back.ts";
import type { SessionRow } from "../wire.ts";
import { plural, renderDay, renderInteger, renderLowerUsd, renderProject, renderTokens } from "./format.ts";
import { Safe } from "./safe.tsx";
import { costColumn, countColumn, type TableColumn, withBar } from "./table.tsx";

/** The date at the end of a model's name: Spend shows it, a list has no room for it. */
const RELEASE_DATE = /-20\d{6}$/;

interface FigureColumn {
  readonly name: string;
  /** `undefined` if the session is no part of the figure. */
  take(row: SessionRow): MissedUsd | undefined;
}

/** An estimate by a replay, not a bound. */
function byReplay(usd: number | undefined): MissedUsd | undefined {
  return usd === undefined ? undefined : { usd, isAtLeast: false };
}

export const FIGURE_COLUMNS: Readonly<Record<ToldFigure["kind"], FigureColumn>> = {
  total: { name: "Cost", take: ({ totalUsd, isAtLeast }) => ({ usd: totalUsd, isAtLeast }) },
  pauses: { name: "Pauses", take: ({ pauses }) => pauses },
  rewrites: { name: "Other rewrites", take: ({ rewrites }) => rewrites },
  carried: { name: "Never needed again", take: ({ carriedUsd }) => byReplay(carriedUsd) },
  saved: { name: "Plimsoll saves", take: ({ savedUsd }) => byReplay(savedUsd) },
};
const PAID_TWICE: FigureColumn = { name: "Paid twice", take: ({ pauses, rewrites }) => sumColumns([pauses, rewrites]) };

export function sumColumns(sums: readonly MissedUsd[]): MissedUsd {
  return { usd: sums.reduce((sum, { usd }) => sum + usd, 0), isAtLeast: sums.some(({ isAtLeast }) => isAtLeast) };
}

const SESSION_COLUMN: TableColumn<SessionRow> = {
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
};
const CLIENT_COLUMN: TableColumn<SessionRow> = {
  name: "Client",
  render: ({ host }) => host,
  sortBy: ({ host }) => host,
  isExtra: true,
};
const MODEL_COLUMN: TableColumn<SessionRow> = {
  name: "Model",
  render: ({ model }) => (
    <span class="whole">
      <Safe text={model.replace(RELEASE_DATE, "")} />
    </span>
  ),
  sortBy: ({ model }) => model,
  isExtra: true,
};

/** The columns of the list; with the client if there are several, and with savings if there was a replay. */
export function planColumns(
  rows: readonly SessionRow[],
  behind: ToldFigure["kind"] | undefined,
): readonly TableColumn<SessionRow>[] {
  const hasHosts = new Set(rows.map(({ host }) => host)).size > 1;
  const isReplayed = rows.some(({ savedUsd }) => savedUsd !== undefined);
  const figures =
    behind === undefined || behind === "total"
      ? [PAID_TWICE, ...(isReplayed ? [FIGURE_COLUMNS.saved] : [])]
      : [FIGURE_COLUMNS[behind]];
  return [
    SESSION_COLUMN,
    {
      name: "Last request",
      render: ({ lastMs }) => <span class="whole">{renderDay(lastMs)}</span>,
      sortBy: ({ lastMs }) => lastMs,
      isExtra: true,
    },
    ...(hasHosts ? [CLIENT_COLUMN] : []),
    MODEL_COLUMN,
    countColumn("Requests", ({ requests }) => requests, renderInteger, true),
    countColumn(
      "Compacted",
      ({ compactions }) => compactions,
      (count) => (count === 0 ? "–" : `${renderInteger(count)}×`),
      true,
    ),
    countColumn(
      "Peak context",
      ({ peakTokens }) => peakTokens,
      (peak, { windowTokens }) =>
        withBar(renderTokens(peak), peak / windowTokens, `of a window of ${renderTokens(windowTokens)} tokens`),
    ),
    ...figures.map(({ name, take }) =>
      countColumn<SessionRow>(
        name,
        (row) => take(row)?.usd ?? Number.NEGATIVE_INFINITY,
        (_, row) => renderPart(take(row)),
        behind === undefined,
      ),
    ),
    costColumn(({ totalUsd }) => totalUsd),
  ];
}

function renderPart(part: MissedUsd | undefined): string {
  if (part === undefined || (part.usd === 0 && !part.isAtLeast)) return "–";
  return renderLowerUsd(part.usd, part.isAtLeast);
}
